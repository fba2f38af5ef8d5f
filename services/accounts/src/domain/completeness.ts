import { DIGESTS, type Digests, type Mode, type ReceivedMinute, type ReceivedRow } from "@collect/contracts";

/** The services that are compared, in the order of the path. */
export const COMPARED = ["accounts", "ledger", "payments", "webhooks"] as const;
export type Compared = (typeof COMPARED)[number];

export type Count = { count: number; sum: bigint; digests: Digests };
/** Null for services that do not record money in suspense. */
export type Counts = { accounts: Count; ledger: Count; payments: Count | null; webhooks: Count | null };
export type MinuteCounts = { mode: Mode; kind: ReceivedMinute["kind"]; minute: string; held: Counts };

/** The counts of each service for each minute in which any of them has records. */
export function countsByMinute(minutes: Record<Compared, ReceivedMinute[]>): MinuteCounts[] {
  const all = new Map<string, MinuteCounts>();
  for (const service of COMPARED) {
    for (const { mode, kind, minute, count, sum, digests = {} } of minutes[service]) {
      const one = all.get(keyOf(mode, kind, minute)) ?? { mode, kind, minute, held: nothing(kind) };
      all.set(keyOf(mode, kind, minute), one);
      one.held[service] = { count, sum, digests };
    }
  }
  return [...all.values()];
}

/** The names of the values that differ, such as `count` or `fee`; empty when the services agree. */
export function differencesOf({ held }: MinuteCounts): string[] {
  const counts = Object.values(held).filter((count) => count !== null);
  const differs = (read: (count: Count) => unknown) => {
    const values = counts.map(read).filter((value) => value !== undefined);
    return values.some((value) => value !== values[0]);
  };
  // Without rows there are no digests, and the count already differs.
  const digests = counts.some(({ count }) => count === 0) ? [] : DIGESTS;
  return [
    ...(differs(({ count }) => count) ? ["count"] : []),
    ...(differs(({ sum }) => sum) ? ["sum"] : []),
    ...digests.filter((name) => differs((count) => count.digests[name])),
  ];
}

/** Services may format the same instant differently. */
const keyOf = (mode: Mode, kind: string, minute: string) => `${mode} ${kind} ${Date.parse(minute)}`;

function nothing(kind: ReceivedMinute["kind"]): Counts {
  const none = { count: 0, sum: 0n, digests: {} };
  const collected = kind === "collection" ? none : null;
  return { accounts: none, ledger: none, payments: collected, webhooks: collected };
}

/** A transfer on which the services differ, with a description of the differences. */
export type DifferingTransfer = {
  mode: Mode;
  kind: ReceivedRow["kind"];
  intake_id: string;
  merchant_id: string | null;
  what: string[];
};

/** A row of accounts, and whether the transfer was completed when it was read. */
export type IntakeRow = ReceivedRow & { is_finished: boolean };

/**
 * The transfers that differ. Accounts is read before and after the others: a transfer that was completed before must be in
 * every service, with the same content; a transfer in any other service must be in accounts afterwards. Others are in flight.
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

/** Each field is compared with the first service on the path that has it. */
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
