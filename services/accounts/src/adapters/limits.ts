import type { Bus } from "@collect/bus";
import { type RequestContext, readAccountLimit } from "@collect/contracts";

/** How many new accounts a merchant may make in an hour through sessions, links and the dashboard. */
export type AccountLimits = { perHour(merchantId: string, context: RequestContext): Promise<number> };

const REMEMBER_MS = 60_000;
const REMEMBERED_MAX = 10_000;
/** That of every merchant who was given no other; it holds while the gateway does not respond, too. */
export const ACCOUNTS_PER_HOUR = 300;

/** The gateway's figure, remembered for a minute: a limit that an operator changes is in force by then. */
export function createAccountLimits(bus: Bus, now: () => number = () => performance.now()): AccountLimits {
  const remembered = new Map<string, { perHour: number; until: number }>();
  return {
    async perHour(merchantId, context) {
      const known = remembered.get(merchantId);
      if (known && known.until > now()) return known.perHour;
      const read = await bus.request(readAccountLimit, { merchant_id: merchantId }, context).catch(() => undefined);
      if (!read) return known?.perHour ?? ACCOUNTS_PER_HOUR;
      if (remembered.size >= REMEMBERED_MAX) remembered.clear();
      remembered.set(merchantId, { perHour: read.accounts_per_hour, until: now() + REMEMBER_MS });
      return read.accounts_per_hour;
    },
  };
}
