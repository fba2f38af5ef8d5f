import {
  browseJournal,
  collectionPosted,
  deadLetterRequests,
  type Fact,
  getBalance,
  getFeeSchedule,
  getOwnBalances,
  getTransaction,
  setFeeSchedule,
  transferReceived,
} from "@collect/contracts";
import { aMerchant, aTransfer, randomId, recordFacts, until } from "@collect/testing";
import { expect, test } from "vitest";
import { faultsOf, useLedger } from "./ledger.ts";

type Transfer = Fact<typeof transferReceived>;
const ledger = await useLedger({ replicas: 2 });

const ownBooks = async () => {
  const { modes } = await ledger.others.request(getOwnBalances, {});
  const live = modes.find(({ mode }) => mode === "live");
  if (!live) throw new Error("there are no books of live mode");
  return live;
};
const balance = (merchant: Transfer["merchant"]) => ledger.others.request(getBalance, { merchant });
const receive = (transfers: Transfer[]) => ledger.others.publish(transferReceived, transfers);

/** The ledger's facts about these transfers, once it has published `n` of them. */
async function follow(transfers: Transfer[]) {
  const log = await recordFacts(ledger.others, collectionPosted);
  const ids = new Set(transfers.map(({ intakeId }) => intakeId));
  const mine = () => log.all.filter(({ intakeId }) => ids.has(intakeId));
  return { count: (n: number) => until(`${n} collections`, () => mine().length >= n && mine()) };
}

test("a transfer is credited net of the fee and published unchanged, plus the ledger's decisions", async () => {
  const transfer = aTransfer({ amount: 1_000_000n });
  const posted = await follow([transfer]);
  await receive([transfer]);
  const { fundedBy: _, ...intake } = transfer;
  const [fact] = await posted.count(1);
  expect(fact).toEqual({
    ...intake,
    feeBasisPoints: 100,
    fee: 10_000n,
    net: 990_000n,
    transactionId: expect.stringMatching(/^\d+$/),
    postedAt: expect.stringMatching(/^\d{4}-.*T.*\.\d{3}\+00:00$/),
  });
  expect(await balance(transfer.merchant)).toMatchObject({
    mode: "test",
    currency: "NGN",
    collected: 9_900,
    settled: 0,
    ledger_sequence: 1,
  });
});

test("what the bank kept is booked to our charges once, and neither the merchant nor its view of the transaction changes", async () => {
  const source = { bank: "729", bankTransferId: "1", narration: null, allocated: false };
  const kept = { bankFee: 5_000n, bankVat: 375n };
  const merchant = aMerchant("live");
  const before = await ownBooks();
  const transfer = aTransfer({ merchant, amount: 1_000_000n, source: { ...source, ...kept } });
  const posted = await follow([transfer]);
  await receive([transfer]);
  await posted.count(1);
  await receive([transfer]);
  expect(await posted.count(2)).toMatchObject([{ net: 990_000n, source: kept }, { net: 990_000n }]);
  const { bank, bank_charges } = await ownBooks();
  expect([bank - before.bank, bank_charges - before.bank_charges]).toEqual([9_946.25, 53.75]);
  const { entries } = await ledger.others.request(getTransaction, { merchant, key: transfer.intakeId });
  expect(entries.map(({ account, amount }) => [account, amount])).toEqual([
    ["bank", 10_000],
    ["fees", -100],
    ["collected", -9_900],
  ]);
  const { data } = await ledger.others.request(browseJournal, { merchant, limit: "10" });
  expect(data.map(({ account, debit, credit }) => [account, debit ?? credit])).toEqual([
    ["collected", 9_900],
    ["fees", 100],
    ["bank", 10_000],
  ]);
  expect(await faultsOf(ledger.owner)).toEqual([]);
});

test("a repeat with another charge is refused, and raises the alarm", async () => {
  const source = { bank: "729", bankTransferId: "1", narration: null, allocated: false };
  const transfer = aTransfer({ source: { ...source, bankFee: 10n } });
  const posted = await follow([transfer]);
  await receive([transfer]);
  await posted.count(1);
  await receive([{ ...transfer, source: { ...source, bankFee: 11n } }]);
  await until("the alarm", () => ledger.alarms.some((line) => "key" in line && line.key === transfer.intakeId));
});

test("a merchant without transfers has a balance of zero", async () => {
  expect(await balance(aMerchant("live"))).toMatchObject({
    mode: "live",
    collected: 0,
    settled: 0,
    ledger_sequence: 0,
  });
});

test("test and live money of one merchant are never mixed", async () => {
  const id = randomId("mer");
  const transfers = (["test", "live"] as const).map((mode) => aTransfer({ merchant: { id, mode }, amount: 100_000n }));
  const posted = await follow(transfers);
  await receive(transfers);
  await posted.count(2);
  expect(await balance({ id, mode: "test" })).toMatchObject({ collected: 990, ledger_sequence: 1 });
  expect(await balance({ id, mode: "live" })).toMatchObject({ collected: 990, ledger_sequence: 1 });
});

test("a redelivered transfer is credited once and published as the identical fact", async () => {
  const transfer = aTransfer();
  const posted = await follow([transfer]);
  await receive([transfer]);
  await posted.count(1);
  // The merchant's fee changes in between: the first decision is kept.
  await ledger.others.request(setFeeSchedule, { merchant_id: transfer.merchant.id, basis_points: 250 });
  await receive([transfer]);
  const [first, again] = await posted.count(2);
  expect(again).toEqual(first);
  expect(await balance(transfer.merchant)).toMatchObject({ collected: 9_900, ledger_sequence: 1 });
});

test("a merchant with a fee schedule is charged by it", async () => {
  const transfer = aTransfer({ amount: 1_000_000n });
  const schedule = { merchant_id: transfer.merchant.id, basis_points: 250 };
  await ledger.others.request(setFeeSchedule, { ...schedule, basis_points: 10_000 });
  expect(await ledger.others.request(setFeeSchedule, schedule)).toEqual(schedule);
  const { merchant_id } = schedule;
  expect(await ledger.others.request(getFeeSchedule, { merchant_id })).toEqual(schedule);
  expect((await ledger.others.request(getFeeSchedule, { merchant_id: "mer_other" })).basis_points).toBe(100);
  const posted = await follow([transfer]);
  await receive([transfer]);
  expect(await posted.count(1)).toMatchObject([{ feeBasisPoints: 250, fee: 25_000n, net: 975_000n }]);
});

test("fifty concurrent duplicates across batches and replicas result in one credit and identical facts", async () => {
  const transfer = aTransfer();
  const company = Array.from({ length: 50 }, () => aTransfer({ merchant: transfer.merchant }));
  const [duplicates, others] = [await follow([transfer]), await follow(company)];
  await Promise.all(company.map((other) => receive([other, transfer])));
  await others.count(50);
  const facts = await duplicates.count(1);
  expect(new Set(facts.map(({ transactionId, postedAt }) => `${transactionId} ${postedAt}`)).size).toBe(1);
  expect(await balance(transfer.merchant)).toMatchObject({ collected: 51 * 9_900, ledger_sequence: 51 });
});

test.each([
  ["amount", (transfer: Transfer) => ({ ...transfer, amount: transfer.amount + 1n })],
  ["merchant", (transfer: Transfer) => ({ ...transfer, merchant: aMerchant() })],
  ["mode", (transfer: Transfer) => ({ ...transfer, merchant: { ...transfer.merchant, mode: "live" as const } })],
])("a repeat with another %s alone becomes a dead letter; the rest of its batch is posted", async (_, change) => {
  const transfer = aTransfer();
  const company = Array.from({ length: 20 }, () => aTransfer({ merchant: transfer.merchant }));
  const posted = await follow([transfer, ...company]);
  await receive([transfer]);
  await posted.count(1);
  await receive([...company.slice(0, 7), change(transfer), ...company.slice(7)]);
  await posted.count(21);
  const letters = deadLetterRequests.ledger;
  if (!letters) throw new Error("the ledger has no dead letters");
  const letter = await until("the dead letter", async () => {
    const { dead_letters } = await ledger.others.request(letters.list, {});
    return dead_letters.find(({ natural_key }) => natural_key === transfer.intakeId);
  });
  expect(letter).toMatchObject({ times: 1, error: expect.stringContaining("is already recorded with another") });
  expect(await balance(transfer.merchant)).toMatchObject({ collected: 21 * 9_900, ledger_sequence: 21 });
});

test("at the end every sum, chain and balance is intact", async () => {
  expect(await faultsOf(ledger.owner)).toEqual([]);
});
