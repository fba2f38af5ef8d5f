import { createHash } from "node:crypto";
import { nuban, TEST_BANK } from "@collect/bank";
import type { Bus } from "@collect/bus";
import {
  browseEvents,
  createPaymentLink,
  createTransfer,
  issueCustomerAccount,
  type MerchantScope,
  type Mode,
  openPayment,
  receiveTestTransfers,
  runSettlement,
  sandboxPay,
} from "@collect/contracts";
import { poll } from "./demo-client.ts";
import {
  HISTORY_DAYS,
  type HistoryCustomer,
  type HistoryTransfer,
  historyCustomers,
  historyTransfers,
} from "./history-plan.ts";
import type { SimulatedBank } from "./simulated-bank.ts";

export type HistoryDeps = {
  bus: Bus;
  merchant: { id: string; name: string };
  bank: SimulatedBank;
  /** The end of the history: the time of the first start, so that a repeat creates the same history. */
  until: Date;
};

const TEST_TRANSFERS = 260;
const LIVE_TRANSFERS = 90;
const BATCH = 200;

/**
 * Weeks of a shop's history through the regular path: customer accounts, incoming transfers with the bank's timestamps,
 * settlements in between, then sessions in several states, a payment link and outbound transfers. Everything has a natural key,
 * so an interrupted start is completed by the next one.
 */
export async function createHistory(deps: HistoryDeps): Promise<void> {
  const { bus, merchant, until } = deps;
  const plan = (mode: Mode, count: number) => {
    const customers = historyCustomers();
    const prefix = `history-${merchant.id.slice(4, 12)}-${mode}`;
    return { customers, transfers: historyTransfers({ customers, count, days: HISTORY_DAYS, until, prefix }) };
  };
  const test = plan("test", TEST_TRANSFERS);
  const live = plan("live", LIVE_TRANSFERS);
  await issueAll(deps, "test", test.customers);
  const liveNumbers = await issueAll(deps, "live", live.customers);
  await receiveAndSettle(deps, test.transfers);
  await reportByBank(deps, live.transfers, liveNumbers);
  await untilRecorded(bus, { id: merchant.id, mode: "live" }, LIVE_TRANSFERS);
  await settle(deps, "live");
  await playSessions(deps, test.customers);
  await createTransfers(deps);
  await createLink(deps);
}

/** Account numbers by customer reference. */
async function issueAll(
  { bus, merchant, bank }: HistoryDeps,
  mode: Mode,
  customers: HistoryCustomer[],
): Promise<Map<string, string>> {
  const scope = { ...merchant, mode };
  const issued = await Promise.all(
    customers.map(({ customer_reference, customer_name }) =>
      bus.request(issueCustomerAccount, { merchant: scope, customer_reference, customer_name, ...bank.identity }),
    ),
  );
  return new Map(issued.map(({ account }) => [account.customer_reference, account.account_number]));
}

/** Settles twice in between, so that the history has settlements and an unsettled balance. */
async function receiveAndSettle(deps: HistoryDeps, transfers: HistoryTransfer[]): Promise<void> {
  const half = Math.ceil(transfers.length * 0.55);
  for (const [from, to] of [
    [0, half],
    [half, transfers.length - 20],
    [transfers.length - 20, transfers.length],
  ] as const) {
    await receiveTest(deps.bus, { id: deps.merchant.id, mode: "test" }, transfers.slice(from, to));
    await untilRecorded(deps.bus, { id: deps.merchant.id, mode: "test" }, to);
    if (to < transfers.length) await settle(deps, "test");
  }
}

/** Test transfers with the test bank's timestamps, in batches of the size that accounts accepts. */
export async function receiveTest(bus: Bus, merchant: MerchantScope, transfers: HistoryTransfer[]): Promise<void> {
  for (let at = 0; at < transfers.length; at += BATCH) {
    const batch = transfers.slice(at, at + BATCH).map(({ id, customer, amount, paid_at }) => ({
      id,
      customer_reference: customer.customer_reference,
      amount,
      payer: { name: customer.customer_name, account_number: customer.account_number, bank_name: customer.bank_name },
      paid_at,
    }));
    await bus.request(receiveTestTransfers, { merchant, transfers: batch });
  }
}

/** Waits until `count` events are recorded in the log: the end of the path. */
export async function untilRecorded(bus: Bus, merchant: MerchantScope, count: number): Promise<void> {
  await poll(
    () => sequenceOf(bus, merchant),
    (sequence) => sequence >= count,
    (sequence) => `${sequence} of ${count} events of the history were recorded`,
  );
}

export async function sequenceOf(bus: Bus, merchant: MerchantScope): Promise<number> {
  const { data } = await bus.request(browseEvents, { merchant, limit: 1 });
  return data[0]?.sequence ?? 0;
}

/** Transfers that the partner bank reports, with its timestamps. */
async function reportByBank(
  { bank }: HistoryDeps,
  transfers: HistoryTransfer[],
  numbers: Map<string, string>,
): Promise<void> {
  const report = ({ id, customer, amount, paid_at }: HistoryTransfer) =>
    bank.report({
      id,
      account_number: numbers.get(customer.customer_reference) ?? "",
      amount,
      payer_name: customer.customer_name,
      payer_account_number: customer.account_number,
      payer_bank_name: customer.bank_name,
      narration: "Payment for goods",
      paid_at,
    });
  for (let at = 0; at < transfers.length; at += 20) await Promise.all(transfers.slice(at, at + 20).map(report));
}

async function settle({ bus, merchant }: HistoryDeps, mode: Mode): Promise<void> {
  await bus.request(runSettlement, { merchant: { id: merchant.id, mode } });
}

/** Payment sessions: some paid, underpaid, overpaid or expired, and some still open. */
async function playSessions({ bus, merchant }: HistoryDeps, customers: HistoryCustomer[]): Promise<void> {
  const scope = { ...merchant, mode: "test" as const };
  const outcomes = ["paid", "paid", "underpaid", "overpaid", "expired", "paid", undefined, undefined] as const;
  await Promise.all(
    outcomes.map(async (outcome, index) => {
      const customer = customers[index];
      const { payment } = await bus.request(openPayment, {
        merchant: scope,
        amount: 3_500 + index * 1_250,
        reference: `sale-${1001 + index}`,
        description: `Order ${1001 + index}`,
        ...(index < 6 && customer && { customer_reference: customer.customer_reference }),
      });
      if (outcome && payment.status === "pending")
        await bus.request(sandboxPay, { merchant: scope, outcome, payment_reference: payment.reference });
    }),
  );
}

/** Transfers from the settled balance to test bank accounts, whose numbers determine the outcome. */
async function createTransfers({ bus, merchant }: HistoryDeps): Promise<void> {
  const payouts = [
    ["000000001", 250_000, "Rent"],
    ["000000002", 40_000, "Supplier"],
    ["000000011", 85_500.5, "Wages"],
  ] as const;
  await Promise.all(
    payouts.map(([serial, amount, narration], index) =>
      bus.request(createTransfer, {
        merchant: { ...merchant, mode: "test" },
        amount,
        bank_code: TEST_BANK.code,
        account_number: nuban({ bankCode: TEST_BANK.code, serial }),
        reference: `payout-${index + 1}`,
        narration,
      }),
    ),
  );
}

async function createLink({ bus, merchant }: HistoryDeps): Promise<void> {
  const merchantOfTest = { ...merchant, mode: "test" as const };
  await bus.request(createPaymentLink, {
    merchant: merchantOfTest,
    key: linkKeyOf(merchant.id),
    title: "Saturday cooking class",
    description: "One seat, ingredients included.",
    amount: 15_000,
  });
}

/** The same key for the same merchant, so that a repeat creates no second link. */
function linkKeyOf(merchantId: string): string {
  const hex = createHash("sha256").update(merchantId).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
