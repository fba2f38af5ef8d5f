import type { Mode, ReceivedMinute } from "@collect/contracts";

/** Who is compared, in the order of the path. */
export const COMPARED = ["accounts", "ledger", "payments", "webhooks"] as const;
export type Compared = (typeof COMPARED)[number];

export type Count = { count: number; sum: bigint };
/** Null for whoever has nothing to do with money in suspense. */
export type Held = { accounts: Count; ledger: Count; payments: Count | null; webhooks: Count | null };
export type Difference = { mode: Mode; kind: ReceivedMinute["kind"]; minute: string; held: Held };

/** The minutes in which not everybody holds what accounts took in. */
export function differencesOf(minutes: Record<Compared, ReceivedMinute[]>): Difference[] {
  const all = new Map<string, Difference>();
  for (const service of COMPARED) {
    for (const { mode, kind, minute, count, sum } of minutes[service]) {
      const difference = all.get(keyOf(mode, kind, minute)) ?? { mode, kind, minute, held: nothing(kind) };
      all.set(keyOf(mode, kind, minute), difference);
      difference.held[service] = { count, sum };
    }
  }
  return [...all.values()].filter(({ held }) => !isSame(held));
}

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
