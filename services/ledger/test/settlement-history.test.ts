import {
  browseCollected,
  browseSettlementLines,
  browseSettlements,
  browseSettlementTotals,
  getSettlement,
  getSettlementSchedule,
  runSettlement,
  setSettlementSchedule,
  settlementsOfCollections,
  type WireInput,
} from "@collect/contracts";
import { transaction } from "@collect/database";
import { aTransfer, randomId } from "@collect/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { collectionTransaction } from "../src/domain/collection.ts";
import { postBatch } from "../src/store/post-batch.ts";
import { settle } from "../src/store/settlements.ts";
import { collect, useLedger } from "./ledger.ts";

const NOW = new Date("2026-11-21T04:59:59.999Z");
const ledger = await useLedger({ settling: { readNow: async () => NOW, everyMs: 3_600_000 } });

type Merchant = { id: string; mode: "test" | "live" };
const aMerchant = (): Merchant => ({ id: randomId("mer"), mode: "test" });
const run = async (merchant: Merchant) => (await ledger.others.request(runSettlement, { merchant })).settlement;
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "answered",
    (error) => error.code,
  );

/** Every row of a list, read page by page, and the number of pages. */
async function walk<Row>(page: (after: string | undefined) => Promise<{ data: Row[]; next: string | null }>) {
  const rows: Row[] = [];
  for (let pages = 1, after: string | undefined; ; pages++) {
    const { data, next } = await page(after);
    rows.push(...data);
    if (next === null) return { rows, pages };
    after = next;
  }
}
const settlementsOf = (merchant: Merchant, query: Partial<WireInput<typeof browseSettlements>> = {}) =>
  walk((after) => ledger.others.request(browseSettlements, { merchant, ...query, after }));
const read = (merchant: Merchant, reference: string) => ledger.others.request(getSettlement, { merchant, reference });
const linesOf = (merchant: Merchant, reference: string, limit?: string) =>
  walk((after) => ledger.others.request(browseSettlementLines, { merchant, reference, limit, after }));
const collectedOf = (merchant: Merchant, settled: "yes" | "no", limit?: string) =>
  walk((after) => ledger.others.request(browseCollected, { merchant, settled, limit, after }));

/** The n-th settlement of a merchant, of n kobo, as stored in the table. */
const aRow = ({ id }: Merchant, n: number, cutOff: string, createdAt = cutOff) =>
  ledger.owner.query(
    `insert into settlements (reference, merchant_id, mode, cut_off, from_version, to_version, entry_version, amount, transaction_id, created_at)
     values ($1, $2, 'test', $3, $4::bigint - 1, $4, $4::bigint + 1, $4, $4, $5)`,
    [randomId("stl"), id, cutOff, n, createdAt],
  );

async function settledTimes(merchant: Merchant, times: number) {
  const settlements = [];
  for (let time = 0; time < times; time++) {
    await collect(ledger.pool, [{ merchant: merchant.id, amount: 1_000n }]);
    settlements.push(await run(merchant));
  }
  return settlements.reverse();
}

describe("settlements", () => {
  test("are listed newest first, each on exactly one page, and found by their reference", async () => {
    const merchant = aMerchant();
    const settlements = await settledTimes(merchant, 5);
    expect(await settlementsOf(merchant, { limit: "2" })).toEqual({ rows: settlements, pages: 3 });
    expect(await settlementsOf(merchant)).toEqual({ rows: settlements, pages: 1 });
    for (const settlement of settlements)
      expect(await read(merchant, settlement?.reference ?? "")).toMatchObject(settlement ?? {});
  });

  test("of one millisecond are ordered by the microsecond", async () => {
    const merchant = aMerchant();
    for (const n of [1, 2, 3]) await aRow(merchant, n, `2026-11-21T00:00:00.000${n}00Z`);
    const { rows } = await settlementsOf(merchant, { limit: "1" });
    expect(rows.map(({ amount }) => amount)).toEqual([0.03, 0.02, 0.01]);
  });

  test("of a time range are those created in it, however much earlier their cut-off was", async () => {
    const merchant = aMerchant();
    for (const day of [2, 4, 6, 8]) await aRow(merchant, day, `2026-10-1${day}T00:00:00Z`, `2026-11-0${day}T00:00:00Z`);
    const daysOf = async (span: { from?: string; before?: string }) =>
      (await settlementsOf(merchant, { ...span, limit: "1" })).rows.map(({ amount }) => amount * 100);
    expect(await daysOf({})).toEqual([8, 6, 4, 2]);
    expect(await daysOf({ from: "2026-11-04T00:00:00Z" })).toEqual([8, 6, 4]);
    expect(await daysOf({ before: "2026-11-06T00:00:00Z" })).toEqual([4, 2]);
    expect(await daysOf({ from: "2026-11-04T00:00:00Z", before: "2026-11-08T00:00:00Z" })).toEqual([6, 4]);
    expect(await daysOf({ from: "2026-11-04T01:00:00+01:00", before: "2026-11-04T00:00:00Z" })).toEqual([]);
  });

  test.each(["0000-01-01T00:00:00Z", "2026-01-01T00:00:00+20:00", "9999-12-31T23:00:00-05:00"])(
    "can be filtered by a time such as %s, although PostgreSQL could not parse it",
    async (time) => {
      const merchant = aMerchant();
      await aRow(merchant, 2, "2026-11-02T00:00:00Z");
      const isAfter = time > "9";
      expect((await settlementsOf(merchant, { from: time })).rows).toHaveLength(isAfter ? 0 : 1);
      expect((await settlementsOf(merchant, { before: time })).rows).toHaveLength(isAfter ? 1 : 0);
      const after = Buffer.from(JSON.stringify([time])).toString("base64url");
      const { data } = await ledger.others.request(browseSettlements, { merchant, after });
      expect(data).toHaveLength(isAfter ? 1 : 0);
    },
  );

  test("of another merchant, of the other mode or with a malformed reference are not found, nor are their lines", async () => {
    const merchant = aMerchant();
    const [settlement] = await settledTimes(merchant, 1);
    const reference = settlement?.reference ?? "";
    expect(await codeOf(read(merchant, reference))).toBe("answered");
    expect(await codeOf(linesOf(merchant, reference))).toBe("answered");
    const others: [Merchant, string][] = [
      [aMerchant(), reference],
      [{ ...merchant, mode: "live" }, reference],
      [merchant, `${reference}\u0000`],
      [merchant, reference.toUpperCase()],
      [merchant, "%"],
      [merchant, ""],
    ];
    for (const [other, malformed] of others) {
      expect(await codeOf(read(other, malformed))).toBe("not_found");
      expect(await codeOf(linesOf(other, malformed))).toBe("not_found");
    }
    for (const [other] of others.slice(0, 2)) expect((await settlementsOf(other)).rows).toEqual([]);
  });
});

describe("the lines of a settlement", () => {
  test("show the gross amount, the fee and the net, oldest first", async () => {
    const merchant = aMerchant();
    const key = randomId("int");
    await collect(ledger.pool, [{ merchant: merchant.id, intakeId: key, amount: 250_073n }]);
    await collect(ledger.pool, [{ merchant: merchant.id, amount: 100n }]);
    const settlement = await run(merchant);
    const { rows } = await linesOf(merchant, settlement?.reference ?? "");
    expect(rows).toMatchObject([
      { key, kind: "collection", gross: 2500.73, fee: 25.01, amount: 2475.72, version: 1 },
      { kind: "collection", gross: 1, fee: 0.01, amount: 0.99, version: 2 },
    ]);
    expect(settlement?.amount).toBe(2476.71);
  });

  /** The late settlement's own entry is among those that the next settlement moves. */
  const some = { amounts: [100n, 200n], fundedBy: "bank" as const };
  const LATE = [some, "cut off" as const, some, "settle up to the last cut-off" as const, some, "settle" as const];

  test("sum to its amount whatever was collected, settled late or allocated, and each is in exactly one settlement", async () => {
    const amounts = fc.array(fc.bigInt({ min: 1n, max: 10_000_000n }), { minLength: 1, maxLength: 6 });
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.record({ amounts, fundedBy: fc.constantFrom("bank" as const, "suspense" as const) }) },
      { weight: 1, arbitrary: fc.constant("cut off" as const) },
      { weight: 1, arbitrary: fc.constant("settle up to the last cut-off" as const) },
      { weight: 1, arbitrary: fc.constant("settle" as const) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
        const merchant = aMerchant();
        let cutOff: Date | undefined;
        for (const one of steps) {
          if (one === "cut off") cutOff = await now();
          else if (one === "settle") await run(merchant);
          else if (one === "settle up to the last cut-off") await settleUpTo(merchant, cutOff);
          else await post(merchant, one);
        }
        await run(merchant);
        await agrees(merchant);
      }),
      { numRuns: 40, examples: [[LATE]] },
    );
  });

  const now = async () => new Date((await ledger.owner.query("select clock_timestamp()::text as now")).rows[0].now);
  const settleUpTo = (merchant: Merchant, cutOff: Date | undefined) =>
    cutOff && transaction(ledger.pool, (tx) => settle(tx, { merchant, cutOff }));
  function post(merchant: Merchant, { amounts, fundedBy }: { amounts: bigint[]; fundedBy: "bank" | "suspense" }) {
    const transactions = amounts.map((amount) =>
      collectionTransaction({ transfer: aTransfer({ merchant, amount, fundedBy }), feeBasisPoints: 150, shard: 0 }),
    );
    return transaction(ledger.pool, (tx) => postBatch(tx, transactions));
  }
  async function settledBy(merchant: Merchant, intake_ids: string[]) {
    const { settlements } = await ledger.others.request(settlementsOfCollections, { merchant, intake_ids });
    return new Map(settlements.map(({ intake_id, reference }) => [intake_id, reference]));
  }
  async function agrees(merchant: Merchant) {
    const { rows: settlements } = await walk((after) =>
      ledger.others.request(browseSettlementTotals, { merchant, limit: "2", after }),
    );
    const keys: string[] = [];
    for (const { reference, amount, from_version, to_version, totals } of settlements) {
      const { rows } = await linesOf(merchant, reference, "3");
      const sumOf = (of: "gross" | "fee" | "amount") => rows.reduce((sum, { [of]: naira }) => sum + naira * 100, 0);
      const [gross, fee, net] = [sumOf("gross"), sumOf("fee"), sumOf("amount")].map((kobo) => Math.round(kobo) / 100);
      expect([totals, net]).toEqual([{ amount: gross, fee, net }, amount]);
      const versions = rows.map(({ version }) => version);
      expect(versions).toEqual(versions.toSorted((one, other) => one - other));
      for (const version of versions) expect(version > from_version && version <= to_version).toBe(true);
      for (const line of rows) expect(Math.round((line.gross - line.fee) * 100)).toBe(Math.round(line.amount * 100));
      const inIt = rows.map(({ key }) => key);
      expect(await settledBy(merchant, inIt)).toEqual(new Map(inIt.map((key) => [key, reference])));
      keys.push(...rows.map(({ key }) => key));
    }
    const { rows: settled } = await collectedOf(merchant, "yes", "3");
    expect(settled.map(({ intake_id }) => intake_id).toSorted()).toEqual(keys.toSorted());
    expect((await collectedOf(merchant, "no")).rows).toEqual([]);
    const { rows: posted } = await ledger.owner.query(
      "select split_part(key, ':', 1) as key from transactions where merchant_id = $1 and kind <> 'settlement'",
      [merchant.id],
    );
    expect(keys.toSorted()).toEqual(posted.map(({ key }) => key).toSorted());
  }
});

describe("a malformed cursor", () => {
  const cursor = (...place: string[]) => Buffer.from(JSON.stringify(place)).toString("base64url");
  test.each(["x", "%", cursor("2026"), cursor("2026-13-01T00:00:00Z"), cursor("1", "2"), cursor("\u0000")])(
    "%s is refused",
    async (after) => {
      const merchant = aMerchant();
      const [settlement] = await settledTimes(merchant, 1);
      const reference = settlement?.reference ?? "";
      expect(await codeOf(ledger.others.request(browseSettlements, { merchant, after }))).toBe("validation_failed");
      const lines = ledger.others.request(browseSettlementLines, { merchant, reference, after });
      expect(await codeOf(lines)).toBe("validation_failed");
    },
  );

  test.each([{ limit: "0" }, { limit: "-1" }, { from: "yesterday" }, { before: "2026-11-21" }])(
    "%j is refused",
    async (query) => {
      expect(await codeOf(settlementsOf(aMerchant(), query))).toBe("validation_failed");
    },
  );
});

test("the schedule of a merchant is T+1 at 06:00 in Lagos until the merchant has its own, and includes the next time", async () => {
  const merchant = aMerchant();
  const schedule = () => ledger.others.request(getSettlementSchedule, { merchant });
  expect(await schedule()).toEqual({ delay_days: 1, at: "06:00", next_at: "2026-11-21T05:00:00.000+00:00" });
  await ledger.others.request(setSettlementSchedule, { merchant_id: merchant.id, delay_days: 3, at: "00:30" });
  expect(await schedule()).toEqual({ delay_days: 3, at: "00:30", next_at: "2026-11-21T23:30:00.000+00:00" });
});
