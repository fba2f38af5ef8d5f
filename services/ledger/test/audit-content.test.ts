import {
  completeTransfer,
  countMinutes,
  getLedgerProof,
  listPostedMinutes,
  listReceived,
  listTransferBookings,
  readTransferBookings,
  reserveTransfer,
} from "@collect/contracts";
import { transaction } from "@collect/database";
import { aTransfer, randomId, until } from "@collect/testing";
import { expect, test } from "vitest";
import { collectionTransaction } from "../src/domain/collection.ts";
import { postBatch } from "../src/store/post-batch.ts";
import { collect, fund, useLedger } from "./ledger.ts";

const ledger = await useLedger({ auditing: { everyMs: 50 } });

const proof = () => ledger.others.request(getLedgerProof, {});
const part = async (name: string) => (await proof()).parts.find((one) => one.name === name);
const TABLES = ["entries", "transactions", "ledger_accounts", "settlements", "transfer_reserves"];

/** Changes the ledger in ways its triggers refuse, as the owner; each statement is independent. */
async function tamper(...statements: string[]) {
  const each = (what: string) => TABLES.map((table) => `alter table ${table} ${what} trigger user`);
  await ledger.owner.query([...each("disable"), ...statements, ...each("enable")].join("; "));
}
const untilReported = (name: string, where: string, what: string) =>
  until(`${name} reports ${where}`, async () =>
    (await part(name))?.differences.some((one) => one.where === where && one.what === what),
  );
const untilHolds = () =>
  until("two rounds find no difference", async () => {
    const { holds } = await proof();
    return holds;
  });

/** A merchant with 9,900 kobo in Settled, of which a payout has taken 1,000. */
async function aSettledMerchant() {
  const id = randomId("mer");
  await fund(ledger.pool, id);
  const transfer = { transfer_id: randomId("trf"), merchant: { id, mode: "test" as const }, amount: "1000" };
  await ledger.others.request(reserveTransfer, transfer);
  await ledger.others.request(completeTransfer, { ...transfer, outcome: "success" });
  return { id, transferId: transfer.transfer_id };
}

test("regular collections, settlements and payouts have no differences", async () => {
  await aSettledMerchant();
  const { last_round_at } = (await proof()).entries;
  await until("a round has finished", async () => (await proof()).entries.last_round_at !== last_round_at);
  expect(await proof()).toMatchObject({ holds: true, differences: [] });
});

test("a charge of the bank that is not the one of its transaction is found, although it balances", async () => {
  const source = { bank: "729", bankTransferId: "1", narration: null, allocated: false, bankFee: 10n };
  const transfer = aTransfer({ source });
  const [posted] = await transaction(ledger.pool, (tx) =>
    postBatch(tx, [collectionTransaction({ transfer, feeBasisPoints: 100, shard: 7 })]),
  );
  await tamper(`update transactions set bank_charge = 9 where id = ${posted?.id}`);
  await untilReported(
    "recent postings",
    `transaction ${transfer.intakeId}`,
    "the entries do not match the transaction",
  );
  await tamper(`update transactions set bank_charge = 10 where id = ${posted?.id}`);
  await untilHolds();
});

test("a transaction whose entries are on another merchant's accounts is found, although all sums and chains are correct", async () => {
  const [robbed, given] = [randomId("mer"), randomId("mer")];
  const [posted] = await collect(ledger.pool, [{ merchant: robbed }]);
  const to = `test:collected:${given}`;
  await tamper(
    `update entries set account_id = '${to}' where account_id = 'test:collected:${robbed}'`,
    `update ledger_accounts set id = '${to}', merchant_id = '${given}' where id = 'test:collected:${robbed}'`,
  );
  const expected = ["all postings", `transaction ${posted?.key}`, "the entries do not match the transaction"] as const;
  await untilReported(...expected);
  await tamper(`update transactions set merchant_id = '${given}' where id = ${posted?.id}`);
  await untilHolds();
});

test("a settlement whose amount differs from the entries it covers is found", async () => {
  const { id } = await aSettledMerchant();
  const { rows } = await ledger.owner.query("select reference from settlements where merchant_id = $1", [id]);
  const [{ reference }] = rows;
  const add = (kobo: number) =>
    tamper(`update settlements set amount = amount + ${kobo} where reference = '${reference}'`);
  await add(1);
  await untilReported(
    "all postings",
    `settlement ${reference}`,
    "the amount does not match the entries it covers, or its transaction",
  );
  await add(-1);
  await untilHolds();
});

test("money that moved for a missing settlement or transfer is found", async () => {
  const { id, transferId } = await aSettledMerchant();
  await tamper(
    `create table kept_settlements as select * from settlements where merchant_id = '${id}'`,
    `create table kept_reserves as select * from transfer_reserves where merchant_id = '${id}'`,
    `delete from settlements where merchant_id = '${id}'`,
    `delete from transfer_reserves where merchant_id = '${id}'`,
  );
  await untilReported(
    "all postings",
    `transaction ${transferId}:reserve`,
    "the transfer or settlement it was posted for is missing",
  );
  const { rows } = await ledger.owner.query(
    "select key from transactions where merchant_id = $1 and kind = 'settlement'",
    [id],
  );
  await untilReported(
    "all postings",
    `transaction ${rows[0].key}`,
    "the transfer or settlement it was posted for is missing",
  );
  await tamper(
    "insert into settlements select * from kept_settlements",
    "insert into transfer_reserves select * from kept_reserves",
    "drop table kept_settlements",
    "drop table kept_reserves",
  );
  await untilHolds();
});

test("recent postings are proven within seconds, independently of the rounds", async () => {
  const merchant = randomId("mer");
  const [posted] = await collect(ledger.pool, [{ merchant }]);
  await tamper(`update transactions set merchant_id = 'mer_other' where id = ${posted?.id}`);
  await untilReported("recent postings", `transaction ${posted?.key}`, "the entries do not match the transaction");
  await tamper(`update transactions set merchant_id = '${merchant}' where id = ${posted?.id}`);
  // It is reported until a whole round has passed.
  await untilHolds();
  expect((await part("recent postings"))?.age_s).toBeLessThan(30);
});

test("payments can read the reserve, first end and bookings of its transfers, by id and page by page", async () => {
  const { id, transferId } = await aSettledMerchant();
  const refused = { transfer_id: randomId("trf"), merchant: { id, mode: "test" as const }, amount: "999999" };
  await ledger.others.request(reserveTransfer, refused);
  const { transfers } = await ledger.others.request(readTransferBookings, {
    transfer_ids: [transferId, refused.transfer_id, "trf_unknown"],
  });
  const scope = { merchant_id: id, mode: "test" };
  const expected = [
    {
      ...scope,
      transfer_id: transferId,
      amount: "1000",
      reserved: true,
      approval_required: false,
      first_end: "success",
      bookings: ["reserve", "payout"],
    },
    {
      ...{ ...scope, transfer_id: refused.transfer_id, amount: "999999", reserved: false },
      ...{ approval_required: false, first_end: null, bookings: [] },
    },
  ];
  expect(new Set(transfers)).toEqual(new Set(expected));
  const { transfers: all } = await ledger.others.request(listTransferBookings, { after: "" });
  const ids = all.map(({ transfer_id }) => transfer_id);
  expect(ids).toEqual(ids.toSorted());
  expect(ids).toContain(transferId);
  const { transfers: behind } = await ledger.others.request(listTransferBookings, { after: ids.at(-1) ?? "" });
  expect(behind).toEqual([]);
});

test("a minute's digest is computed from the entries, not from the transaction's columns, and excludes unfinished minutes", async () => {
  const merchant = randomId("mer");
  const [one, other] = await collect(ledger.pool, [{ merchant }, { merchant }]);
  const receivedAt = Date.parse(one?.receivedAt ?? "");
  const at = (ms: number) => new Date(receivedAt + ms).toISOString().replace("Z", "+00:00");
  const span = { from: at(-1_000), to: at(1_000) };
  const rows = async () => (await ledger.others.request(listReceived.ledger, span)).rows;
  const before = (await rows()).find(({ intake_id }) => intake_id === one?.key);
  await tamper(
    `update entries set account_id = 'test:collected:mer_else' where transaction_id = ${one?.id} and account_id = 'test:collected:${merchant}'`,
  );
  const after = (await rows()).find(({ intake_id }) => intake_id === one?.key);
  expect([before?.merchant_id, after?.merchant_id]).toEqual([merchant, merchant]);
  expect(after?.digests.intake).not.toBe(before?.digests.intake);
  expect(after?.digests.fee).toBe(before?.digests.fee);
  await tamper(
    `update entries set account_id = 'test:collected:${merchant}' where transaction_id = ${one?.id} and account_id = 'test:collected:mer_else'`,
  );

  const except = (await rows()).map(({ intake_id }) => intake_id).filter((id) => id !== other?.key);
  const { minutes } = await ledger.others.request(countMinutes.ledger, {
    ...span,
    unit: "second",
    except: { collection: except, suspense: [] },
  });
  expect(minutes).toMatchObject([{ count: 1, sum: "1000" }]);
});

test("the minutes of money posted late, or with a future receipt, after a position are listed, whenever it was received", async () => {
  const { position } = await ledger.others.request(listPostedMinutes, { after: null });
  expect(await ledger.others.request(listPostedMinutes, { after: position })).toEqual({ minutes: [], position });
  const at = (ms: number) => new Date(Date.now() + ms).toISOString().replace("Z", "+00:00");
  const [late, ahead] = [at(-86_400_000), at(60_000)];
  const given = [late, at(-1_000), ahead].map((receivedAt) => ({ merchant: randomId("mer"), receivedAt }));
  await collect(ledger.pool, given);
  const { minutes, position: next } = await ledger.others.request(listPostedMinutes, { after: position });
  expect(new Set(minutes)).toEqual(new Set([late, ahead].map((instant) => instant.replace(/:\d\d\.\d+/, ":00.000"))));
  // It is returned again until no transaction with a lower id can commit.
  expect(next).toBe(position);
});
