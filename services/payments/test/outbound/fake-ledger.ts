import { answer, serveRequests } from "@collect/bus";
import {
  completeTransfer,
  type Fact,
  getBalance,
  getPayoutLimits,
  type MerchantScope,
  Problem,
  readTransferBookings,
  reserveTransfer,
  type transferCompleted,
  type WireResult,
} from "@collect/contracts";
import { startComponents, type World } from "@collect/testing";

type End = Fact<typeof transferCompleted>["status"];
type Held = {
  amount: bigint;
  reserved: boolean;
  response: WireResult<typeof reserveTransfer>;
  merchant: MerchantScope;
  ends: End[];
  suspense: End[];
};

export type FakeLedger = {
  /** What it has recorded about each transfer. */
  held: Map<string, Held>;
  fund(merchant: MerchantScope, kobo: bigint): void;
  /** The settled balance. */
  settled(merchant: MerchantScope): bigint;
  /** What it says about the next orders, as a merchant's limits would. */
  decides: Pick<WireResult<typeof reserveTransfer>, "refusal" | "approval_required">;
  /** The merchant's limits, in naira, and what was ordered today. */
  limits: { transfer_max: number | null; day_max: number | null; approval_above: number | null; today: number };
  /** While it is set the ledger responds to no command. */
  isDown: boolean;
  /** The settled balance that it reports, whatever it is: as when a concurrent transfer takes it a moment later. */
  claims: bigint | undefined;
  /** When the outcomes that it books count; a ledger of the release before does not say. */
  countedAt: string | undefined;
  /** It says nobody's limits before this is over. */
  beforeLimits: (() => Promise<void>) | undefined;
  stop(): Promise<void>;
};

export const NO_LIMITS = { transfer_max: null, day_max: null, approval_above: null, today: 0 };

/** A fake ledger: a real responder on the bus that is idempotent by transfer id. */
export async function startFakeLedger(world: World): Promise<FakeLedger> {
  const funds = new Map<string, bigint>();
  const keyOf = ({ id, mode }: MerchantScope) => `${id} ${mode}`;
  const move = (merchant: MerchantScope, kobo: bigint) =>
    funds.set(keyOf(merchant), (funds.get(keyOf(merchant)) ?? 0n) + kobo);
  const check = () => {
    if (ledger.isDown) throw new Problem("service_unavailable", "The ledger is down.");
  };
  const requests = [
    answer(getBalance, async ({ merchant }) => ({
      ...{ mode: merchant.mode, currency: "NGN" as const, collected: 0n },
      settled: ledger.claims ?? funds.get(keyOf(merchant)) ?? 0n,
      ...{ as_of: "2026-11-21T09:30:00.000+00:00", ledger_sequence: 1 },
    })),
    answer(getPayoutLimits, async ({ merchant_id }) => {
      await ledger.beforeLimits?.();
      return limitsOf(merchant_id, ledger.limits);
    }),
    answer(reserveTransfer, async ({ transfer_id, merchant, amount }) => {
      check();
      const known = ledger.held.get(transfer_id);
      if (known) return known.response;
      const settled = funds.get(keyOf(merchant)) ?? 0n;
      const reserved = !ledger.decides.refusal && settled >= amount;
      if (reserved) move(merchant, -amount);
      const response = { ...ledger.decides, reserved };
      ledger.held.set(transfer_id, { merchant, amount, reserved, response, ends: [], suspense: [] });
      return reserved || ledger.decides.refusal ? response : { ...response, refusal: "balance" as const, settled };
    }),
    answer(completeTransfer, async ({ transfer_id, merchant, amount, outcome }) => {
      check();
      const held = ledger.held.get(transfer_id);
      if (!held?.reserved || held.amount !== amount) throw new Error(`${transfer_id} was never reserved for this`);
      const contradicts = outcome === "failed" ? held.ends.includes("success") : held.ends.includes("failed");
      const booked = contradicts ? held.suspense : held.ends;
      if (!booked.includes(outcome)) {
        booked.push(outcome);
        if (!contradicts && outcome !== "success") move(merchant, amount);
      }
      const told = { first_end: firstOf(held.ends), counted_at: ledger.countedAt };
      return { ...told, booked: contradicts ? ("suspense" as const) : ("as_told" as const) };
    }),
    answer(readTransferBookings, async ({ transfer_ids }) => {
      check();
      return { transfers: transfer_ids.flatMap((id) => bookingsOf(id, ledger.held.get(id))) };
    }),
  ];
  const stop = await startComponents([serveRequests(world.others, { service: "ledger", log: world.log, requests })]);
  const ledger: FakeLedger = {
    held: new Map(),
    decides: {},
    limits: NO_LIMITS,
    fund: move,
    settled: (merchant) => funds.get(keyOf(merchant)) ?? 0n,
    isDown: false,
    ...{ claims: undefined, countedAt: undefined, beforeLimits: undefined },
    stop,
  };
  return ledger;
}

function firstOf([first]: End[]): "success" | "failed" | undefined {
  return first === "reversed" ? "success" : first;
}

function bookingsOf(transfer_id: string, held: Held | undefined) {
  if (!held) return [];
  const { merchant, amount, reserved, response, ends } = held;
  const approval_required = response.approval_required ?? false;
  const scope = { merchant_id: merchant.id, mode: merchant.mode };
  return [
    { transfer_id, ...scope, amount, reserved, approval_required, first_end: firstOf(ends) ?? null, bookings: [] },
  ];
}

function limitsOf(merchant_id: string, { today, ...limits }: FakeLedger["limits"]) {
  const kobo = (naira: number | null) => (naira === null ? null : BigInt(naira * 100));
  const shown = {
    transfer_max: kobo(limits.transfer_max),
    day_max: kobo(limits.day_max),
    approval_above: kobo(limits.approval_above),
  };
  const ordered_today = { test: BigInt(today * 100), live: BigInt(today * 100) };
  return { merchant_id, limits: shown, operator: shown, merchant: shown, upcoming: null, ordered_today };
}
