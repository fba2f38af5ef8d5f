import type { Mode, ReceivedMinute } from "@collect/contracts";

/** Who is compared, in the order of the path. */
export const COMPARED = ["accounts", "ledger", "payments", "webhooks"] as const;
export type Compared = (typeof COMPARED)[number];

export type Count = { count: number; sum: bigint };
/** Null for whoever has nothing to do with money in suspense. */
export type Held = { accounts: Count; ledger: Count; payments: Count | null; webhooks: Count | null };
export type HeldMinute = { mode: Mode; kind: ReceivedMinute["kind"]; minute: string; held: Held };

/** What everybody holds of each minute in which anybody holds something. */
export function heldByMinute(minutes: Record<Compared, ReceivedMinute[]>): HeldMinute[] {
  const all = new Map<string, HeldMinute>();
  for (const service of COMPARED) {
    for (const { mode, kind, minute, count, sum } of minutes[service]) {
      const one = all.get(keyOf(mode, kind, minute)) ?? { mode, kind, minute, held: nothing(kind) };
      all.set(keyOf(mode, kind, minute), one);
      one.held[service] = { count, sum };
    }
  }
  return [...all.values()];
}

/** Whether somebody does not hold what accounts took in. */
export const differs = ({ held }: HeldMinute): boolean => !isSame(held);

/** Services may write one time in different ways. */
const keyOf = (mode: Mode, kind: string, minute: string) => `${mode} ${kind} ${Date.parse(minute)}`;

function nothing(kind: ReceivedMinute["kind"]): Held {
  const none = { count: 0, sum: 0n };
  const collected = kind === "collection" ? none : null;
  return { accounts: none, ledger: none, payments: collected, webhooks: collected };
}

function isSame({ accounts, ...others }: Held): boolean {
  return Object.values(others).every(
    (other) => other === null || (other.count === accounts.count && other.sum === accounts.sum),
  );
}
