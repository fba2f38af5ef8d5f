import { listExceptions, transferReceived } from "@collect/contracts";
import type { Logger } from "@collect/runtime";
import { recordFacts, until } from "@collect/testing";
import { beforeEach, expect, test } from "vitest";
import { claimDueTransfers } from "../src/store/settled-transfers.ts";
import { startMonnify } from "./monnify-world.ts";
import { OWN } from "./partners-world.ts";
import { startAccounts, useAccountsWorld } from "./world.ts";

/** What a partner settled and never reported. */

const { bank, partner, clientOf } = await startMonnify();
const given = await useAccountsWorld();
const alarms: { alarm?: string }[] = [];
const log: Logger = Object.assign(Object.create(given.log), { error: (fields: object) => void alarms.push(fields) });
const partners = { all: [OWN, partner], standard: partner, own: OWN.id };
const asking = { everyMs: 20, afterMs: 0 };
const world = await startAccounts({ ...given, log }, { partners, asking });
const { aCustomer, settle } = clientOf(world);
const received = await recordFacts(world.others, transferReceived);

beforeEach(() => {
  bank.isDown = false;
  bank.asked.length = 0;
  alarms.length = 0;
});

let serial = 0;
const aReference = () => `S${++serial}`;
const rowsOf = async (id: string) =>
  (await world.owner.query("select * from inbound_transfers where bank_transfer_id = $1", [id])).rows;
const settledRow = async (id: string) =>
  (await world.owner.query("select * from settled_transfers where bank_transfer_id = $1", [id])).rows[0];
const untilCredited = (id: string) => until(`${id} is taken`, async () => (await rowsOf(id)).length > 0);
const untilEnded = (id: string) => until(`${id} is ended`, async () => (await settledRow(id))?.ask_at === null);
const makeDue = (id: string) =>
  world.owner.query("update settled_transfers set ask_at = now() where bank_transfer_id = $1", [id]);

test("a payment that was settled and never reported is credited once, and its late report changes nothing", async () => {
  const { merchant, accountNumber, pay } = await aCustomer();
  const lost = pay();
  expect(await settle(aReference(), [lost])).toBe("accepted");
  await untilCredited(lost.id);
  await untilEnded(lost.id);
  const [row] = await rowsOf(lost.id);
  expect(row).toMatchObject({
    ...{ bank: "monnify", mode: "live", merchant_id: merchant.id, account_number: accountNumber },
    ...{ amount: 100_000n, bank_fee: 1_500n, payer_name: "NGOZI EZE", customer_reference: "cust_1" },
    // As in a report: the settlement stays beside it.
    settlement_id: null,
  });
  expect([await lost.report(), await lost.report()]).toEqual(["duplicate", "duplicate"]);
  expect(await rowsOf(lost.id)).toHaveLength(1);
  const published = () => received.all.filter((fact) => fact.merchant.id === merchant.id);
  await until("it is published", () => published().length > 0);
  expect(new Set(published().map(({ intakeId }) => intakeId))).toEqual(new Set([row.intake_id]));
  expect([bank.asked, alarms]).toEqual([[lost.id], []]);
});

test("a payment that is reported before it is asked for, or before its settlement, is not asked for", async () => {
  const { pay } = await aCustomer();
  const [before, after] = [pay(), pay()];
  await before.report();
  // The notice of a replica that waits a minute.
  const waiting = await startAccounts(given, { partners, asking: { everyMs: 20, afterMs: 60_000 } });
  await clientOf(waiting).settle(aReference(), [before, after]);
  expect((await settledRow(before.id)).ask_at).toBeNull();
  const { ask_at, noticed_at } = await settledRow(after.id);
  expect(Date.parse(ask_at) - Date.parse(noticed_at)).toBe(60_000);
  await after.report();
  await makeDue(after.id);
  await untilEnded(after.id);
  expect([bank.asked, (await rowsOf(after.id)).length]).toEqual([[], 1]);
  await waiting.stop();
});

test.each<[string, object | undefined, string]>([
  ["does not know it", undefined, "does not know it"],
  ["says another amount", { amountPaid: "1000.01" }, "says ₦1,000.01 and not ₦1,000.00"],
  ["says that it is not paid", { paymentStatus: "PENDING" }, "says payment_pending"],
  ["says another account", { product: { type: "RESERVED_ACCOUNT", reference: "iss_other" } }, "says another account"],
])(
  "a payment is not credited if Monnify %s: an operator sees it, and its report still counts",
  async (_case, changes, says) => {
    const { pay } = await aCustomer();
    const lost = pay();
    if (changes) bank.transactions.set(lost.id, { ...lost.payment, ...changes });
    else bank.transactions.delete(lost.id);
    const settlement = aReference();
    await settle(settlement, [lost]);
    await untilEnded(lost.id);
    expect(await rowsOf(lost.id)).toEqual([]);
    const reason = `settled in ${settlement}, but the bank, asked for it, ${says}`;
    await until("it is alarmed", () => alarms.length > 0);
    expect(alarms).toMatchObject([{ alarm: "quarantined", reason }]);
    const { quarantined } = await world.others.request(listExceptions, {});
    expect(quarantined.filter(({ bank_transfer_id }) => bank_transfer_id === lost.id)).toMatchObject([{ reason }]);
    expect(bank.asked).toEqual([lost.id]);
    expect(await lost.report()).toBe("accepted");
  },
);

test("a payment into an account that is nobody's is in suspense, as if it had been reported", async () => {
  const { pay } = await aCustomer();
  const lost = pay();
  const elsewhere = { destinationAccountInformation: { accountNumber: "0000000001" } };
  bank.transactions.set(lost.id, { ...lost.payment, ...elsewhere });
  await settle(aReference(), [lost]);
  await untilEnded(lost.id);
  expect(await rowsOf(lost.id)).toMatchObject([{ merchant_id: null, amount: 100_000n }]);
});

test("a payment is asked for again while Monnify does not answer, and others beside it are credited", async () => {
  const { pay } = await aCustomer();
  const lost = pay();
  bank.isDown = true;
  await settle(aReference(), [lost]);
  for (const asks of [1, 2]) {
    await until("it was asked for", async () => (await settledRow(lost.id)).asks === asks);
    await until("it waits", async () => Date.parse((await settledRow(lost.id)).ask_at) > Date.now() + 60_000);
    if (asks === 1) await makeDue(lost.id);
  }
  expect(await rowsOf(lost.id)).toEqual([]);
  bank.isDown = false;
  const other = pay();
  // Of which nothing can be read.
  bank.transactions.set(lost.id, { transactionReference: lost.id });
  await makeDue(lost.id);
  await settle(aReference(), [other]);
  await untilCredited(other.id);
  await until("it was asked for", async () => (await settledRow(lost.id)).asks === 3);
  bank.transactions.set(lost.id, lost.payment);
  await makeDue(lost.id);
  await untilCredited(lost.id);
  expect(alarms).toEqual([]);
});

test("replicas that ask at the same time, while reports come, credit each payment once", async () => {
  const other = await startAccounts(given, { partners, asking });
  const { merchant, pay } = await aCustomer();
  const payments = Array.from({ length: 120 }, () => pay());
  const reference = aReference();
  await Promise.all([
    settle(reference, payments),
    clientOf(other).settle(reference, payments.toReversed()),
    ...payments.slice(0, 20).map(({ report }) => report()),
  ]);
  await Promise.all(payments.map(({ id }) => untilEnded(id)));
  const { rows } = await world.owner.query(
    "select count(*)::integer as n, sum(amount)::text as amount from inbound_transfers where merchant_id = $1",
    [merchant.id],
  );
  expect(rows).toEqual([{ n: 120, amount: "12000000" }]);
  expect(bank.asked).toHaveLength(new Set(bank.asked).size);
  await other.stop();
});

test("what an earlier release kept of a settlement is asked for by nobody", async () => {
  const { owner } = world;
  await owner.query(
    "insert into settled_transfers (intake_id, bank, settlement_id) values ('int_earlier', 'monnify', 'S_earlier')",
  );
  const { pay } = await aCustomer();
  const lost = pay();
  await settle(aReference(), [lost]);
  await untilEnded(lost.id);
  const { rows } = await owner.query("select asks, ask_at from settled_transfers where intake_id = 'int_earlier'");
  expect(rows).toEqual([{ asks: 0, ask_at: null }]);
  expect(bank.asked).toEqual([lost.id]);
});

test("questions that nobody answers come apart, up to an hour, and a replica does not repeat another's", async () => {
  await world.owner.query(`
    insert into settled_transfers (intake_id, bank, settlement_id, bank_transfer_id, ask_at)
    values ('int_apart', 'silent', 'S_apart', 'silent-1', now())`);
  const claim = () =>
    claimDueTransfers(world.pools.workers, {
      ...{ banks: ["silent"], limit: 10, firstWaitMs: 120_000, longestWaitMs: 3_600_000 },
    });
  const minutes: number[] = [];
  for (let asked = 0; asked < 7; asked++) {
    expect(await claim()).toMatchObject([{ intakeId: "int_apart", bankTransferId: "silent-1", isReported: false }]);
    expect(await claim()).toEqual([]);
    const { ask_at } = await settledRow("silent-1");
    minutes.push(Math.round((Date.parse(ask_at) - Date.now()) / 60_000));
    await makeDue("silent-1");
  }
  expect(minutes).toEqual([2, 4, 8, 16, 32, 60, 60]);
});
