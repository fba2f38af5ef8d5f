import { DIGESTS, type Digests, type Mode, type ReceivedMinute, type ReceivedRow } from "@collect/contracts";

/** Which services are compared, in the order of the path. */
export const COMPARED = ["accounts", "ledger", "payments", "webhooks"] as const;
export type Compared = (typeof COMPARED)[number];

export type Count = { count: number; sum: bigint; digests: Digests };
/** Null for a service that has nothing to do with money in suspense. */
export type Held = { accounts: Count; ledger: Count; payments: Count | null; webhooks: Count | null };
export type HeldMinute = { mode: Mode; kind: ReceivedMinute["kind"]; minute: string; held: Held };

/** What each service holds of each minute in which one of them holds something. */
export function heldByMinute(minutes: Record<Compared, ReceivedMinute[]>): HeldMinute[] {
  const all = new Map<string, HeldMinute>();
  for (const service of COMPARED) {
    for (const { mode, kind, minute, count, sum, digests = {} } of minutes[service]) {
      const one = all.get(keyOf(mode, kind, minute)) ?? { mode, kind, minute, held: nothing(kind) };
      all.set(keyOf(mode, kind, minute), one);
      one.held[service] = { count, sum, digests };
    }
  }
  return [...all.values()];
}

/** What the services hold otherwise, such as `count` or `fee`; empty when they agree. */
export function differencesOf({ held }: HeldMinute): string[] {
  const counts = Object.values(held).filter((count) => count !== null);
  const differs = (read: (count: Count) => unknown) => {
    const values = counts.map(read).filter((value) => value !== undefined);
    return values.some((value) => value !== values[0]);
  };
  // Without rows there are no digests, and the count says so.
  const digests = counts.some(({ count }) => count === 0) ? [] : DIGESTS;
  return [
    ...(differs(({ count }) => count) ? ["count"] : []),
    ...(differs(({ sum }) => sum) ? ["sum"] : []),
    ...digests.filter((name) => differs((count) => count.digests[name])),
  ];
}

/** Services may write one time in different ways. */
const keyOf = (mode: Mode, kind: string, minute: string) => `${mode} ${kind} ${Date.parse(minute)}`;

function nothing(kind: ReceivedMinute["kind"]): Held {
  const none = { count: 0, sum: 0n, digests: {} };
  const collected = kind === "collection" ? none : null;
  return { accounts: none, ledger: none, payments: collected, webhooks: collected };
}

/** A transfer that the services hold otherwise, and what of it in words. */
export type DifferingTransfer = {
  mode: Mode;
  kind: ReceivedRow["kind"];
  intake_id: string;
  merchant_id: string | null;
  what: string[];
};

/** A row of accounts, and whether its path had come to its end when it was read. */
export type IntakeRow = ReceivedRow & { is_finished: boolean };

/**
 * The transfers that differ. Accounts is read before the others and after them: what was finished before must be everywhere,
 * alike; what any other service holds must be there afterwards. What is between the two is under way.
 */
export function differingTransfers(given: {
  before: IntakeRow[];
  others: Record<Exclude<Compared, "accounts">, ReceivedRow[]>;
  after: Pick<ReceivedRow, "kind" | "intake_id">[];
}): DifferingTransfer[] {
  const before = byRow(given.before);
  const known = byRow([...given.before, ...given.after]);
  const others = (["ledger", "payments", "webhooks"] as const).map((service) => ({
    service,
    rows: byRow(given.others[service]),
  }));
  const keys = new Set([...before.keys(), ...others.flatMap(({ rows }) => [...rows.keys()])]);
  return [...keys].flatMap((key) => {
    const taken = before.get(key);
    const held = others.flatMap(({ service, rows }) => ({ service, row: rows.get(key) }));
    const [some] = [taken, ...held.map(({ row }) => row)].filter((row) => row !== undefined);
    if (!some) return [];
    const what = !known.has(key)
      ? [
          `${servicesOf(held).join(", ")} ${servicesOf(held).length > 1 ? "hold" : "holds"} it, accounts never took it in`,
        ]
      : taken?.is_finished
        ? finishedDifferences(taken, held)
        : [];
    const { mode, kind, intake_id, merchant_id } = some;
    return what.length > 0 ? [{ mode, kind, intake_id, merchant_id, what }] : [];
  });
}

type HeldRow = { service: string; row: ReceivedRow | undefined };
const servicesOf = (held: HeldRow[]) => held.filter(({ row }) => row).map(({ service }) => service);
const byRow = <Row extends Pick<ReceivedRow, "kind" | "intake_id">>(rows: Row[]) =>
  new Map(rows.map((row) => [`${row.kind} ${row.intake_id}`, row]));

const OF_DIGEST: Record<(typeof DIGESTS)[number], string> = {
  intake: "merchant or amount",
  fee: "fee or net",
  customer: "customer or account number",
  match: "reference or payment session",
  numbers: "reference, sequence or delivery number",
  body: "the event's body",
};

/** Each field is compared with the first service on the path that holds it. */
function finishedDifferences(taken: IntakeRow, held: HeldRow[]): string[] {
  const expected = taken.kind === "suspense" ? held.filter(({ service }) => service === "ledger") : held;
  const missing = expected.filter(({ row }) => !row).map(({ service }) => `${service} does not hold it`);
  const all = [{ service: "accounts", row: taken as ReceivedRow | undefined }, ...expected];
  const otherwise = DIGESTS.flatMap((name) => {
    const values = all.flatMap(({ service, row }) => {
      const value = row?.digests[name];
      return value === undefined ? [] : [{ service, value }];
    });
    const [first, ...rest] = values;
    return rest
      .filter(({ value }) => value !== first?.value)
      .map(({ service }) => `${OF_DIGEST[name]}: ${service} differs from ${first?.service}`);
  });
  const inOtherMode = expected
    .filter(({ row }) => row && row.mode !== taken.mode)
    .map(({ service }) => `mode: ${service} differs from accounts`);
  return [...missing, ...inOtherMode, ...otherwise];
}
