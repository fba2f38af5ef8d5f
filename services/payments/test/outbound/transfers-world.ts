import { createLocalPayoutPartner, nuban, type PayoutBank, type PayoutPartner, TEST_BANK } from "@collect/bank";
import {
  createTransfer,
  type Fact,
  getTransfer,
  type MerchantScope,
  Problem,
  transferCompleted,
  transferRecorded,
  type WireInput,
  type WireResult,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { aMerchant, poolsOf, randomId, startComponents, until, type World } from "@collect/testing";
import { createApp, type Deps } from "../../src/app.ts";
import { onlyPartner } from "../../src/outbound/domain/payout-partners.ts";
import type { TransferTimes } from "../../src/outbound/domain/transfer-times.ts";
import { countUnfinishedTransfers } from "../../src/outbound/store/transfers.ts";
import { CONFIG, poolOf } from "../inbound/sessions-world.ts";
import type { FakeLedger } from "./fake-ledger.ts";

/** Short intervals, so that tests wait for conditions and not for schedules. Without follow-ups by default. */
export const FAST_TIMES: Partial<TransferTimes> = {
  pollMs: 20,
  leaseMs: 30_000,
  heldMs: 30_000,
  enquiry: { firstMs: 20, longestMs: 20 },
  notification: { firstMs: 20, longestMs: 20 },
  unknownAfterMs: 600_000,
  followUpsMs: [],
  followUpRetryMs: 20,
};

/** The bank of live payouts as the service knows it. */
export const partnerOf = (payouts: PayoutBank): PayoutPartner => ({
  ...{ id: "729", name: "Harbour Bank", payouts },
  check: async () => [],
});

const NO_PARTNER = partnerOf({
  nameOf: () => Promise.reject(new Error("this test expects no call to the partner bank")),
  pay: () => Promise.reject(new Error("this test expects no payout")),
  enquire: () => Promise.reject(new Error("this test expects no enquiry")),
});

export type Replica = { pool: Pool; stop(): Promise<void> };

/** A replica of the service as main.ts composes it, with its own database pool. */
export async function startPayments(
  world: World,
  given: Partial<Pick<Deps, "partners" | "transferTimes" | "enquiryLimits">> & { partner?: PayoutPartner } = {},
): Promise<Replica> {
  const { bus, log } = world;
  const pool = poolOf(world);
  const { enquiryLimits } = given;
  const transferTimes = { ...FAST_TIMES, ...given.transferTimes };
  const stopComponents = await startComponents(
    createApp({
      config: CONFIG,
      pools: poolsOf(pool),
      bus,
      log,
      partners: given.partners ?? onlyPartner(given.partner ?? NO_PARTNER),
      transferTimes,
      enquiryLimits,
    }),
  );
  const stop = async () => {
    await stopComponents();
    await pool.end();
  };
  return { pool, stop };
}

export const partnerAt = (url: string, timeoutMs = 2_000) =>
  createLocalPayoutPartner({ code: "729", name: "Harbour Bank", url, secret: BANK_API_SECRET, timeoutMs });
export const BANK_API_SECRET = "secret-of-the-partner";

export type FakeWebhooks = {
  /** The facts it received, repeats included. */
  received: Fact<typeof transferCompleted>[];
  /** While it is set nothing is recorded. */
  isDown: boolean;
  about(reference: string): Fact<typeof transferCompleted>[];
};

/** Fake webhooks: confirms every fact about a transfer as recorded. */
export async function startFakeWebhooks(world: World): Promise<FakeWebhooks> {
  const webhooks: FakeWebhooks = {
    received: [],
    isDown: false,
    about: (reference) => webhooks.received.filter((fact) => fact.reference === reference),
  };
  world.others.listen(transferCompleted, (facts) => {
    const parsed = facts.map((fact) => transferCompleted.data.parse(fact));
    webhooks.received.push(...parsed);
    if (webhooks.isDown) return;
    const recorded = parsed.map(({ key, merchant }) => ({
      key,
      merchant,
      sequence: 1,
      recordedAt: "2026-11-21T09:30:02.000+00:00",
    }));
    void world.others.publish(transferRecorded, recorded).catch(() => {});
  });
  await world.others.nats.flush();
  return webhooks;
}

/** A merchant with 1,000,000.00 naira in Settled. */
export function aFundedMerchant(ledger: FakeLedger, mode: MerchantScope["mode"] = "test"): MerchantScope {
  const merchant = aMerchant(mode);
  ledger.fund(merchant, 100_000_000n);
  return merchant;
}

/** An account of the test bank whose script is this digit. */
export const testAccount = (digit: number, serial = 70) =>
  nuban({ bankCode: TEST_BANK.code, serial: `${String(serial).padStart(8, "0")}${digit}` });
export const LIVE_ACCOUNT = { bank_code: "011", account_number: "0000014579" };

type Order = Omit<WireInput<typeof createTransfer>, "merchant">;

/** An order of 2,500.73 naira, by default to the test bank's account that succeeds. */
export const anOrder = (given: Partial<Order> = {}): Order => ({
  amount: 2500.73,
  bank_code: TEST_BANK.code,
  account_number: testAccount(1),
  reference: randomId("payout"),
  ...given,
});

export function send(world: World, merchant: MerchantScope, order: Order): Promise<WireResult<typeof createTransfer>> {
  return world.others.request(createTransfer, { merchant: { ...merchant, name: "Ada Stores" }, ...order });
}

export function show(world: World, merchant: MerchantScope, reference: string) {
  return world.others.request(getTransfer, { merchant: { ...merchant, name: "Ada Stores" }, reference });
}

export function untilStatus(world: World, merchant: MerchantScope, reference: string, status: string) {
  return until(`${reference} is ${status}`, async () => {
    const transfer = await show(world, merchant, reference);
    return transfer.status === status && transfer;
  });
}

export type Row = { reference: string; step: string; status: string; told: string[] } & Record<string, unknown>;

export async function rowsOf(world: World, merchant: MerchantScope): Promise<Row[]> {
  const { rows } = await world.owner.query<Row>(
    "select * from transfers where merchant_id = $1 and mode = $2 order by created_at, reference",
    [merchant.id, merchant.mode],
  );
  return rows;
}

/** Waits until every transfer of the merchant has reached this step. */
export function untilStep(world: World, merchant: MerchantScope, step: string): Promise<Row[]> {
  return until(`all transfers are ${step}`, async () => {
    const rows = await rowsOf(world, merchant);
    return rows.length > 0 && rows.every((row) => row.step === step) && rows;
  });
}

/** The error code with which a call was refused. */
export async function refusalOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof Problem) return error.code;
  throw new Error("the call was not refused", { cause: error });
}

/** The live transfers at this step that the self-audit sees. */
export async function countUnfinished(world: World, step: string): Promise<{ count: number; sum: bigint }> {
  const rows = await countUnfinishedTransfers(world.pool);
  const row = rows.find((unfinished) => unfinished.mode === "live" && unfinished.step === step);
  return { count: row?.count ?? 0, sum: row?.sum ?? 0n };
}
