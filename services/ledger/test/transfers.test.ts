import { completeTransfer, reserveTransfer, type WireInput } from "@collect/contracts";
import { randomId } from "@collect/testing";
import { beforeEach, expect, test } from "vitest";
import { balancesOf, faultsOf, fund, useLedger } from "./ledger.ts";

const ledger = await useLedger({ replicas: 2 });
/** A merchant with 9,900 kobo in Settled. */
let merchant: { id: string; mode: "test" };

beforeEach(async () => {
  merchant = { id: randomId("mer"), mode: "test" };
  await fund(ledger.pool, merchant.id);
  ledger.alarms.length = 0;
});

type Transfer = WireInput<typeof reserveTransfer>;
type Outcome = WireInput<typeof completeTransfer>["outcome"];
/** When what moved at the bank counts. */
const counted_at = expect.any(String);
const aTransfer = (amount = "4000"): Transfer => ({ transfer_id: randomId("trf"), merchant, amount });
const reserve = (transfer: Transfer) => ledger.others.request(reserveTransfer, transfer);
const complete = (transfer: Transfer, outcome: Outcome) =>
  ledger.others.request(completeTransfer, { ...transfer, outcome });
async function reserved(amount?: string): Promise<Transfer> {
  const transfer = aTransfer(amount);
  expect(await reserve(transfer)).toEqual({ reserved: true });
  return transfer;
}

/** The merchant's balances in kobo, with liabilities as positive numbers. */
async function balances() {
  const [settled = 0n, payouts = 0n] = await balancesOf(
    ledger.owner,
    `test:settled:${merchant.id}`,
    `test:payouts:${merchant.id}`,
  );
  return { settled: -settled, payouts: -payouts };
}
/** The change of our own accounts during the work, summed over shards: each replica writes its own. */
async function ours(work: () => Promise<unknown>) {
  const read = async () => {
    const [bank0 = 0n, bank1 = 0n, held0 = 0n, held1 = 0n] = await balancesOf(
      ledger.owner,
      ...["bank:0", "bank:1", "suspense:0", "suspense:1"].map((account) => `test:${account}`),
    );
    return { bank: bank0 + bank1, suspense: held0 + held1 };
  };
  const before = await read();
  await work();
  const after = await read();
  return { bank: after.bank - before.bank, suspense: after.suspense - before.suspense };
}
const booked = async ({ transfer_id }: Transfer) => {
  const { rows } = await ledger.owner.query(
    "select kind, amount, fee from transactions where starts_with(key, $1) order by id",
    [`${transfer_id}:`],
  );
  expect(rows).toEqual(rows.map(({ kind }) => ({ kind, amount: 4_000n, fee: 0n })));
  return rows.map(({ kind }) => kind);
};

test("a reserve moves the amount from Settled to payouts once, and a repeat gets the same response", async () => {
  const transfer = await reserved();
  expect(await reserve(transfer)).toEqual({ reserved: true });
  expect(await balances()).toEqual({ settled: 5_900n, payouts: 4_000n });
});

test("all of Settled can be reserved, and not a kobo more", async () => {
  expect(await reserve(aTransfer("9901"))).toEqual({ reserved: false, refusal: "balance", settled: "9900" });
  expect(await balances()).toEqual({ settled: 9_900n, payouts: 0n });
  await reserved("9900");
  expect(await reserve(aTransfer("1"))).toEqual({ reserved: false, refusal: "balance", settled: "0" });
  expect(await balances()).toEqual({ settled: 0n, payouts: 9_900n });
});

test("a merchant without settlements can reserve nothing", async () => {
  merchant = { id: randomId("mer"), mode: "test" };
  expect(await reserve(aTransfer("1"))).toEqual({ reserved: false, refusal: "balance", settled: "0" });
});

test("a refusal stays a refusal, however much money is settled later, and only the first one says what was there", async () => {
  const transfer = aTransfer("12000");
  expect(await reserve(transfer)).toEqual({ reserved: false, refusal: "balance", settled: "9900" });
  await fund(ledger.pool, merchant.id);
  expect(await reserve(transfer)).toEqual({ reserved: false, refusal: "balance" });
  expect(await reserve({ ...transfer, transfer_id: randomId("trf") })).toEqual({ reserved: true });
});

test.each([
  ["amount", (transfer: Transfer) => ({ ...transfer, amount: "4001" })],
  ["merchant", (transfer: Transfer) => ({ ...transfer, merchant: { ...transfer.merchant, id: randomId("mer") } })],
  ["mode", (transfer: Transfer) => ({ ...transfer, merchant: { ...transfer.merchant, mode: "live" as const } })],
])("a transfer that is repeated with another %s is refused, with an alarm, and moves nothing", async (_, change) => {
  const transfer = await reserved();
  await expect(reserve(change(transfer))).rejects.toMatchObject({ code: "conflict" });
  await expect(complete(change(transfer), "success")).rejects.toMatchObject({ code: "conflict" });
  expect(ledger.alarms).toMatchObject([{ alarm: "transfer_differs" }, { alarm: "transfer_differs" }]);
  expect(await balances()).toEqual({ settled: 5_900n, payouts: 4_000n });
});

test("fifty concurrent transfers share the Settled balance and never exceed it", async () => {
  const transfers = Array.from({ length: 50 }, () => aTransfer("1000"));
  const answers = await Promise.all(transfers.map(reserve));
  expect(answers.filter(({ reserved }) => reserved)).toHaveLength(9);
  expect(await balances()).toEqual({ settled: 900n, payouts: 9_000n });
  const decisions = answers.map(({ settled, ...decision }) => decision);
  expect(await Promise.all(transfers.map(reserve))).toEqual(decisions);
  expect(await faultsOf(ledger.owner)).toEqual([]);
});

test("one transfer reserved fifty times concurrently is reserved once", async () => {
  const transfer = aTransfer();
  const answers = await Promise.all(Array.from({ length: 50 }, () => reserve(transfer)));
  expect(answers).toEqual(answers.map(() => ({ reserved: true })));
  expect(await balances()).toEqual({ settled: 5_900n, payouts: 4_000n });
});

test("one id reserved concurrently for two merchants is reserved for one and refused for the other", async () => {
  const other = randomId("mer");
  await fund(ledger.pool, other);
  const transfer = aTransfer();
  const answers = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) =>
      reserve(index % 2 ? transfer : { ...transfer, merchant: { id: other, mode: "test" } }),
    ),
  );
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
  for (const answer of answers)
    if (answer.status === "rejected") expect(answer.reason).toMatchObject({ code: "conflict" });
  expect(await booked(transfer)).toEqual(["reserve"]);
});

test("a success is paid from the bank, and a repeat changes nothing", async () => {
  const transfer = await reserved();
  const moved = await ours(async () => {
    expect(await complete(transfer, "success")).toEqual({ booked: "as_told", first_end: "success", counted_at });
    expect(await complete(transfer, "success")).toEqual({ booked: "as_told", first_end: "success", counted_at });
  });
  expect(moved).toEqual({ bank: -4_000n, suspense: 0n });
  expect(await balances()).toEqual({ settled: 5_900n, payouts: 0n });
  expect(ledger.alarms).toEqual([]);
});

test("a failure returns the money, and a repeat changes nothing", async () => {
  const transfer = await reserved();
  expect(await complete(transfer, "failed")).toEqual({ booked: "as_told", first_end: "failed" });
  expect(await complete(transfer, "failed")).toEqual({ booked: "as_told", first_end: "failed" });
  expect(await booked(transfer)).toEqual(["reserve", "return"]);
  expect(await balances()).toEqual({ settled: 9_900n, payouts: 0n });
  expect(ledger.alarms).toEqual([]);
});

test.each([
  ["after the success", ["success", "reversed", "reversed", "success"]],
  ["before the success", ["reversed", "success", "reversed"]],
] as const)("a reversal %s is booked as both, once, and the money is the merchant's again", async (_, outcomes) => {
  const transfer = await reserved();
  const moved = await ours(async () => {
    for (const outcome of outcomes)
      expect(await complete(transfer, outcome)).toEqual({ booked: "as_told", first_end: "success", counted_at });
  });
  expect(moved).toEqual({ bank: 0n, suspense: 0n });
  expect(await booked(transfer)).toEqual(["reserve", "payout", "reversal"]);
  expect(await balances()).toEqual({ settled: 9_900n, payouts: 0n });
});

test("a success after a failure is booked to suspense with an alarm: the merchant keeps the returned money", async () => {
  const transfer = await reserved();
  await complete(transfer, "failed");
  const moved = await ours(async () => {
    expect(await complete(transfer, "success")).toEqual({ booked: "suspense", first_end: "failed", counted_at });
    expect(await complete(transfer, "success")).toEqual({ booked: "suspense", first_end: "failed", counted_at });
  });
  expect(moved).toEqual({ bank: -4_000n, suspense: 4_000n });
  expect(await balances()).toEqual({ settled: 9_900n, payouts: 0n });
  expect(ledger.alarms[0]).toMatchObject({ alarm: "transfer_contradicted", transfer_id: transfer.transfer_id });
  expect(await ours(() => complete(transfer, "reversed"))).toEqual({ bank: 4_000n, suspense: -4_000n });
  expect(await booked(transfer)).toEqual(["reserve", "return", "late_payout", "late_reversal"]);
});

test("a failure after a success books nothing and raises the alarm", async () => {
  const transfer = await reserved();
  await complete(transfer, "success");
  expect(await complete(transfer, "failed")).toEqual({ booked: "suspense", first_end: "success" });
  expect(await booked(transfer)).toEqual(["reserve", "payout"]);
  expect(ledger.alarms).toMatchObject([{ alarm: "transfer_contradicted" }]);
});

test.each(["success", "failed", "reversed"] as const)(
  "%s of a transfer that was never reserved, or refused, is a conflict",
  async (outcome) => {
    await expect(complete(aTransfer(), outcome)).rejects.toMatchObject({ code: "conflict" });
    const refused = aTransfer("10000");
    await reserve(refused);
    await expect(complete(refused, outcome)).rejects.toMatchObject({ code: "conflict" });
    expect(await balances()).toEqual({ settled: 9_900n, payouts: 0n });
  },
);

test("success and failure reported twenty times concurrently have one end: the money is paid or returned, never both", async () => {
  const transfer = await reserved();
  const outcomes = Array.from({ length: 20 }, (_, index) => (index % 2 ? ("success" as const) : ("failed" as const)));
  const answers = await Promise.all(outcomes.map((outcome) => complete(transfer, outcome)));
  const kinds = await booked(transfer);
  expect([
    ["reserve", "payout"],
    ["reserve", "return", "late_payout"],
  ]).toContainEqual(kinds);
  // Outcomes that agree with the first end are booked as reported; all others get the contradiction.
  for (const [index, { booked }] of answers.entries())
    expect(booked).toBe((outcomes[index] === "success") === kinds.includes("payout") ? "as_told" : "suspense");
});

test("at the end every sum, chain and balance is intact", async () => {
  expect(await faultsOf(ledger.owner)).toEqual([]);
});
