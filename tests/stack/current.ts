import type { Bus } from "@collect/bus";
import { getRecovery, MONEY_SERVICES, type MoneyService } from "@collect/contracts";
import { until } from "@collect/testing";

/**
 * Waits until every service accepts requests: a peer has confirmed its epoch, and no recovery is in progress. A service that
 * has just started or was just restored refuses them until then.
 */
export function untilCurrent(bus: Bus, boundMs?: number): Promise<true> {
  const isCurrent = (service: MoneyService) =>
    bus.request(getRecovery[service], {}).then(
      ({ is_current, recovery }) => is_current && recovery?.finished_at !== null,
      () => false,
    );
  return until(
    "every service is confirmed and has caught up",
    async () => (await Promise.all(MONEY_SERVICES.map(isCurrent))).every(Boolean),
    boundMs,
  );
}
