import type { AuditedReversal, Mode } from "@collect/contracts";

/** A reversal as accounts has it. It is complete once every service has recorded what it has to. */
export type OwnReversal = {
  reversalId: string;
  merchantId: string | null;
  mode: Mode;
  amount: bigint;
  isAdmitted: boolean;
  isAllocated: boolean;
  isComplete: boolean;
  /** A person closed it because the ledger refuses it. */
  isClosed: boolean;
};

/** What the other services have of the same reversals. */
export type Records = Record<"ledger" | "payments" | "webhooks", AuditedReversal[]>;
export type Difference = { what: string; where: string };

/** How far the comparison is, and what it found in this round and in the last complete one. */
export type ReversalProof = {
  proven_at: string | null;
  age_s: number | null;
  last_round: bigint;
  last_round_at: string | null;
  differences: Difference[];
  last_differences: Difference[];
};
/** Those that were admitted, and have been on their way for too long. */
export type OverdueReversals = { count: number; oldest_admitted_at: string | null };

/** The most differences that are named: they show where to look. */
export const NAMED_MAX = 50;

/**
 * What differs: `before` was read before the other services were asked, and `after` after that. One that is on its way, or was
 * allocated meanwhile, is left to the next round.
 */
export function reversalDifferences(given: {
  before: OwnReversal[];
  after: OwnReversal[];
  records: Records;
}): Difference[] {
  const [before, after] = [byId(given.before), byId(given.after)];
  const services = Object.entries(given.records).map(([service, rows]) => ({
    service,
    rows: Map.groupBy(rows, ({ reversal_id }) => reversal_id),
  }));
  const ids = new Set([...before.keys(), ...services.flatMap(({ rows }) => [...rows.keys()])]);
  return [...ids].flatMap((id) => {
    const own = after.get(id);
    if (own?.isAdmitted && !isSettled(before.get(id), own)) return [];
    if (own?.isClosed) return closedDifferences(own, (service) => rowsOf(given.records[service], id));
    return services.flatMap(({ service, rows }) => {
      const what = differenceIn(service, rows.get(id) ?? [], own);
      return what === undefined ? [] : [{ what: `${service} ${what}`, where: `reversal ${id}` }];
    });
  });
}

const byId = (reversals: OwnReversal[]) => new Map(reversals.map((reversal) => [reversal.reversalId, reversal]));

const isSettled = (before: OwnReversal | undefined, after: OwnReversal): boolean =>
  before?.isComplete === true &&
  after.isComplete &&
  before.isClosed === after.isClosed &&
  before.isAllocated === after.isAllocated;

/**
 * Of a closed one the ledger has nothing, or what it contradicts, such as the same reversal booked the other way: never all that it refused. The
 * others have what the ledger booked of a merchant's.
 */
function closedDifferences(own: OwnReversal, rows: (service: keyof Records) => AuditedReversal[]): Difference[] {
  const kinds = rows("ledger").map(({ kind }) => kind);
  const isBooked = expectedOf("ledger", own).every((kind) => kinds.includes(kind));
  const recorded = kinds.some((kind) => kind !== "suspense_reversal") ? 1 : 0;
  const differing = [
    ...(isBooked ? ["ledger"] : []),
    ...(["payments", "webhooks"] as const).filter((service) => rows(service).length !== recorded),
  ];
  const where = `reversal ${own.reversalId}`;
  return differing.map((service) => ({ what: `${service} does not have it as a closed one`, where }));
}

const rowsOf = (rows: AuditedReversal[], id: string) => rows.filter(({ reversal_id }) => reversal_id === id);

function differenceIn(service: string, rows: AuditedReversal[], own: OwnReversal | undefined): string | undefined {
  if (!own) return rows.length > 0 ? "has it, and accounts does not" : undefined;
  const expected = own.isAdmitted ? expectedOf(service, own) : [];
  const kinds = rows.map(({ kind }) => kind).toSorted();
  if (kinds.join() !== expected.join())
    return `has ${kinds.join(" and ") || "nothing"} of it, instead of ${expected.join(" and ") || "nothing"}`;
  const isOwn = ({ kind, merchant_id, mode, amount }: AuditedReversal) =>
    mode === own.mode &&
    amount === own.amount &&
    merchant_id === (kind === "suspense_reversal" ? null : own.merchantId);
  return rows.every(isOwn) ? undefined : "has another merchant, mode or amount";
}

/** The kinds of its records, in the order of the alphabet. */
function expectedOf(service: string, { merchantId, isAllocated }: OwnReversal): AuditedReversal["kind"][] {
  if (service !== "ledger") return merchantId === null ? [] : ["reversal"];
  if (merchantId === null) return ["suspense_reversal"];
  return isAllocated ? ["allocation_reversal", "suspense_reversal"] : ["collection_reversal"];
}
