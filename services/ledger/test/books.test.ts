import { browseJournal, browseStatement, getStatementTotals, instantOf, type MerchantScope } from "@collect/contracts";
import { transaction } from "@collect/database";
import { randomId } from "@collect/testing";
import { expect, test } from "vitest";
import type { TransferBooking } from "../src/domain/transaction.ts";
import { transferTransaction } from "../src/domain/transfer.ts";
import { postBatch } from "../src/store/post-batch.ts";
import { settle } from "../src/store/settlements.ts";
import { collect, useLedger } from "./ledger.ts";

const ledger = await useLedger({ settling: { everyMs: 3_600_000 } });

const aMerchant = (): MerchantScope => ({ id: randomId("mer"), mode: "test" });
const settleAll = (merchant: MerchantScope) => transaction(ledger.pool, (tx) => settle(tx, { merchant, cutOff: null }));

/** Posts one booking of a transfer of this many kobo. */
function book(merchant: MerchantScope, transferId: string, booking: TransferBooking, amount: bigint) {
  const notifiedAt = "2026-11-20T10:00:00.000Z";
  const given = { transfer: { transferId, merchant, amount }, shard: 0, notifiedAt };
  return transaction(ledger.pool, (tx) => postBatch(tx, [transferTransaction(booking, given)]));
}

const trf = ({ id }: MerchantScope, name: string) => `trf_${name}_${id}`;

/** Two collections of which one is settled; three transfers: sent, failed, and sent but reversed. */
async function aHistory(merchant: MerchantScope): Promise<void> {
  await collect(ledger.pool, [{ merchant: merchant.id, amount: 100_001n }]);
  await settleAll(merchant);
  await book(merchant, trf(merchant, "sent"), "reserve", 20_000n);
  await book(merchant, trf(merchant, "sent"), "payout", 20_000n);
  await book(merchant, trf(merchant, "failed"), "reserve", 5_000n);
  await book(merchant, trf(merchant, "failed"), "return", 5_000n);
  await book(merchant, trf(merchant, "back"), "reserve", 300n);
  await book(merchant, trf(merchant, "back"), "payout", 300n);
  await book(merchant, trf(merchant, "back"), "reversal", 300n);
  await collect(ledger.pool, [{ merchant: merchant.id, amount: 2_000n }]);
}

/** The n-th entries of a merchant's ledger accounts were recorded at other times. */
async function recordedAt(merchant: MerchantScope, times: Record<string, string[]>): Promise<void> {
  await transaction(ledger.owner, async (tx) => {
    await tx.query("set local session_replication_role = replica");
    for (const [kind, instants] of Object.entries(times))
      await tx.query(
        `update entries set recorded_at = instant from unnest($2::timestamptz[]) with ordinality as given (instant, version)
         where account_id = $1 and account_version = version`,
        [`${merchant.mode}:${kind}:${merchant.id}`, instants],
      );
  });
}

/** The same history, in October and November: a day and a settlement before the end of October in Lagos, and what follows after it. */
const OCTOBER = "2026-10-31T22:59:59.999Z";
const NOVEMBER = "2026-10-31T23:00:00.000Z";
const OVER_TWO_MONTHS = {
  collected: [OCTOBER, OCTOBER, NOVEMBER],
  settled: [OCTOBER, ...Array.from({ length: 5 }, () => NOVEMBER)],
  payouts: Array.from({ length: 6 }, () => NOVEMBER),
};

async function walk<Row>(page: (after: string | undefined) => Promise<{ data: Row[]; next: string | null }>) {
  const rows: Row[] = [];
  for (let after: string | undefined; ; ) {
    const { data, next } = await page(after);
    rows.push(...data);
    if (next === null) return rows;
    after = next;
  }
}
const statementOf = (merchant: MerchantScope, month: string, limit?: string) =>
  walk((after) => ledger.others.request(browseStatement, { merchant, month, limit, after }));
const totalsOf = (merchant: MerchantScope, month: string) =>
  ledger.others.request(getStatementTotals, { merchant, month });
const journalOf = (merchant: MerchantScope, query: { from?: string; before?: string; limit?: string } = {}) =>
  walk((after) => ledger.others.request(browseJournal, { merchant, ...query, after }));
const inKobo = (rows: { debit: number | null; credit: number | null }[], side: "debit" | "credit") =>
  rows.reduce((sum, row) => sum + Math.round((row[side] ?? 0) * 100), 0);

test.each(["1", "3", "500"])(
  "a month's lines lead from what it opened with to what it closed with, %s a page",
  async (limit) => {
    const merchant = aMerchant();
    await aHistory(merchant);
    await recordedAt(merchant, OVER_TWO_MONTHS);
    expect(await totalsOf(merchant, "2026-10")).toMatchObject({
      opening: { collected: 0, settled: 0 },
      money_in: 1_000.01,
      fees: 10,
      settled: 990.01,
      closing: { collected: 0, settled: 990.01 },
      lines: 2,
    });
    expect(await totalsOf(merchant, "2026-11")).toEqual({
      from: "2026-10-31T23:00:00.000+00:00",
      before: "2026-11-30T23:00:00.000+00:00",
      as_of: expect.any(String),
      opening: { collected: 0, settled: 990.01 },
      money_in: 20,
      fees: 0.2,
      settled: 0,
      transfers_out: 253,
      returned: 53,
      closing: { collected: 19.8, settled: 790.01 },
      lines: 6,
    });
    const october = await statementOf(merchant, "2026-10", limit);
    expect(october.map(({ kind, settled_balance }) => [kind, settled_balance])).toEqual([
      ["opening", 0],
      ["collection", 0],
      ["settlement", 990.01],
      ["closing", 990.01],
    ]);
    const november = await statementOf(merchant, "2026-11", limit);
    expect(november.map(({ kind }) => kind).sort()).toEqual(
      ["opening", "reserve", "reserve", "reserve", "return", "reversal", "collection", "closing"].sort(),
    );
    expect([november.at(0)?.settled_balance, november.at(-1)?.settled_balance]).toEqual([990.01, 790.01]);
    expect(november.at(-1)?.collected_balance).toBe(19.8);
  },
);

test("in the journal debits are credits, in each transaction and in all, each is on one page, and balances are the merchant's own", async () => {
  const merchant = aMerchant();
  await aHistory(merchant);
  const all = await journalOf(merchant);
  const byTransaction = Map.groupBy(all, ({ transaction_id }) => transaction_id);
  expect(byTransaction.size).toBe(10);
  for (const entries of byTransaction.values()) expect(inKobo(entries, "debit")).toBe(inKobo(entries, "credit"));
  expect(await journalOf(merchant, { limit: "1" })).toEqual(all);
  const [first] = byTransaction.values();
  expect(first?.map(({ account, debit, credit, balance }) => [account, debit, credit, balance])).toEqual([
    ["collected", 990.01, null, 990.01],
    ["fees", 10, null, null],
    ["bank", null, 1_000.01, null],
  ]);
  expect(
    all.filter(({ kind }) => kind === "payout").map(({ key, account, debit, credit }) => [key, account, debit, credit]),
  ).toEqual([
    [trf(merchant, "sent"), "bank", 200, null],
    [trf(merchant, "sent"), "payouts", null, 200],
    [trf(merchant, "back"), "bank", 3, null],
    [trf(merchant, "back"), "payouts", null, 3],
  ]);
  expect(all.find(({ kind }) => kind === "settlement")?.key).toMatch(/^stl_/);
});

test("money that arrives between two pages is not on the second, and neither is another merchant's or mode's", async () => {
  const [merchant, other] = [aMerchant(), aMerchant()];
  await collect(ledger.pool, [
    { merchant: merchant.id, intakeId: "int_a" },
    { merchant: merchant.id, intakeId: "int_b" },
  ]);
  const first = await ledger.others.request(browseJournal, { merchant, limit: "1" });
  const month = new Date(Date.now() + 3_600_000).toISOString().slice(0, 7);
  const opened = await ledger.others.request(browseStatement, { merchant, month, limit: "1" });
  await collect(ledger.pool, [{ merchant: merchant.id }, { merchant: other.id }]);
  const rest = await walk((after) =>
    ledger.others.request(browseJournal, { merchant, limit: "1", after: after ?? first.next ?? "" }),
  );
  expect(rest.map(({ key }) => key)).toEqual(["int_b", "int_b", "int_b"]);
  const lines = await walk((after) =>
    ledger.others.request(browseStatement, { merchant, month, limit: "1", after: after ?? opened.next ?? "" }),
  );
  expect(lines.map(({ key, collected_balance }) => [key, collected_balance])).toEqual([
    ["int_b", 19.8],
    [month, 19.8],
  ]);
  expect(await journalOf({ ...merchant, mode: "live" })).toEqual([]);
  // The second merchant's cursor, used by the first, leads to the first one's own entries.
  const theirs = await ledger.others.request(browseJournal, { merchant, limit: "1", after: first.next ?? "" });
  expect(new Set(theirs.data.map(({ key }) => key))).toEqual(new Set(["int_b"]));
});

test("a transaction whose entries lie on both sides of midnight is in one month, and both months are proved", async () => {
  const merchant = aMerchant();
  await aHistory(merchant);
  // A settlement, and then a transfer, in the middle of which November begins; and a clock ahead that recorded it on Collected.
  await recordedAt(merchant, { ...OVER_TWO_MONTHS, settled: Array.from({ length: 6 }, () => NOVEMBER) });
  expect((await totalsOf(merchant, "2026-10")).closing).toEqual({ collected: 0, settled: 990.01 });
  expect((await totalsOf(merchant, "2026-11")).opening).toEqual({ collected: 0, settled: 990.01 });
  await recordedAt(merchant, {
    collected: [OCTOBER, "2026-12-15T10:00:00Z", "2026-12-15T11:00:00Z"],
    settled: [OCTOBER, NOVEMBER],
    payouts: [OCTOBER, NOVEMBER],
  });
  expect((await totalsOf(merchant, "2026-10")).closing).toEqual({ collected: 990.01, settled: -200 });
  expect((await totalsOf(merchant, "2026-11")).closing).toEqual({ collected: 990.01, settled: -200 });
  expect((await totalsOf(merchant, "2026-12")).closing).toEqual({ collected: 19.8, settled: 790.01 });
  for (const month of ["2026-10", "2026-11", "2026-12"])
    expect((await statementOf(merchant, month, "1")).length).toBeGreaterThan(2);
});

test("a statement says until when it counted, by the database's clock or the merchant's own in test mode", async () => {
  const merchant = aMerchant();
  await collect(ledger.pool, [{ merchant: merchant.id }]);
  const now = async () => Date.parse((await ledger.owner.query("select clock_timestamp()::text as now")).rows[0].now);
  const [before, { as_of = "" }, after] = [await now(), await totalsOf(merchant, "2026-11"), await now()];
  expect(Date.parse(as_of)).toBeGreaterThanOrEqual(before - 1);
  expect(Date.parse(as_of)).toBeLessThanOrEqual(after);
  const ahead = new Date(after + 90 * 86_400_000);
  await ledger.owner.query("insert into test_clocks (merchant_id, at) values ($1, $2)", [merchant.id, ahead]);
  expect((await totalsOf(merchant, "2026-11")).as_of).toBe(instantOf(ahead));
  expect(Date.parse((await totalsOf({ ...merchant, mode: "live" }, "2026-11")).as_of ?? "")).toBeLessThan(
    after + 60_000,
  );
});

test("a statement that does not add up is not handed out", async () => {
  const merchant = aMerchant();
  await collect(ledger.pool, [{ merchant: merchant.id }]);
  await transaction(ledger.owner, async (tx) => {
    await tx.query("set local session_replication_role = replica");
    await tx.query("update transactions set fee = fee - 1 where merchant_id = $1", [merchant.id]);
  });
  const month = new Date(Date.now() + 3_600_000).toISOString().slice(0, 7);
  await expect(totalsOf(merchant, month)).rejects.toMatchObject({ code: "internal_error" });
  await expect(statementOf(merchant, month)).rejects.toMatchObject({ code: "internal_error" });
});

test("what is no month and no cursor is refused, and a merchant without money has an empty statement", async () => {
  const merchant = aMerchant();
  for (const month of ["2026-13", "26-11", "2026-11-01"])
    await expect(totalsOf(merchant, month)).rejects.toMatchObject({ code: "validation_failed" });
  const after = Buffer.from(JSON.stringify(["1.2", "3.4.5"])).toString("base64url");
  await expect(ledger.others.request(browseJournal, { merchant, after })).rejects.toMatchObject({
    code: "validation_failed",
  });
  expect((await statementOf(merchant, "2026-11")).map(({ kind }) => kind)).toEqual(["opening", "closing"]);
});
