import { answer, serveRequests } from "@collect/bus";
import {
  browseCollected,
  browseCollections,
  browseDeliveries,
  SEARCHED_MAX,
  settlementsOfCollections,
  sumCollections,
  type WireInput,
} from "@collect/contracts";
import { randomId } from "@collect/testing";
import { expect, test } from "vitest";
import { SUMMED_MAX } from "../../src/store/prisma.ts";
import { readAllPages } from "../paging.ts";
import { aShop, type Shop, useSessions } from "./sessions-world.ts";

const world = await useSessions();

/** What the ledger has settled, and whose webhooks failed, in the order of these services. */
const settled: string[] = [];
const unsettled: string[] = [];
const failed: string[] = [];
const pageOf = <Item>(items: Item[], { limit, after }: { limit: number; after?: string | undefined }) => {
  const start = Number(after ?? 0);
  return { data: items.slice(start, start + limit), next: start + limit < items.length ? String(start + limit) : null };
};
const ledger = [
  answer(browseCollected, async (asked) => {
    const { data, next } = pageOf(asked.settled === "yes" ? settled : unsettled, asked);
    return { data: data.map((intake_id) => ({ intake_id })), next };
  }),
  answer(settlementsOfCollections, async ({ intake_ids }) => ({
    settlements: intake_ids.flatMap((id) => (settled.includes(id) ? [{ intake_id: id, reference: "stl_1" }] : [])),
  })),
];
const delivery = { number: 1, sequence: 1, url: "https://shop.example", attempts: 16, last_status: 500 };
const webhooks = [
  answer(browseDeliveries, async (asked) => {
    const { data, next } = pageOf(
      asked.status === "exhausted" && asked.event === "collection.success" ? failed : [],
      asked,
    );
    const at = "2026-11-21T09:30:00.000+00:00";
    const known = { ...delivery, event: "collection.success", status: "exhausted" as const, next_attempt_at: null };
    return { data: data.map((reference) => ({ ...known, reference, created_at: at })), next };
  }),
];
await serveRequests(world.others, { service: "ledger", log: world.log, requests: ledger }).start();
await serveRequests(world.others, { service: "webhooks", log: world.log, requests: webhooks }).start();

/** So many collections of 1, 2, 3 … naira, a minute apart: `col_…_1` is the oldest. */
async function aPaidShop(count: number) {
  const merchant = aShop();
  const { rows } = await world.owner.query<{ id: bigint }>(
    "insert into payers (merchant_id, mode, bank_name, account_number, name) values ($1, 'test', '', '', 'Ada') returning id",
    [merchant.id],
  );
  await world.owner.query(
    `insert into collections (intake_id, reference, merchant_id, mode, account_number, payer_id, amount, fee, net, currency,
       paid_at, received_at, posted_at)
     select 'int_' || $1 || '_' || n, 'col_' || $1 || '_' || n, $1, 'test', '9000000001', $2, n * 100, n, n * 99, 'NGN', at, at, at
     from generate_series(1, $3::integer) n, lateral (select timestamptz '2026-11-21' + n * interval '1 minute' as at)`,
    [merchant.id, rows[0]?.id, count],
  );
  const named = (prefix: string) => (n: number) => `${prefix}_${merchant.id}_${n}`;
  return { merchant, col: named("col"), int: named("int") };
}

type Given = Partial<Omit<WireInput<typeof browseCollections>, "merchant">>;
const browse = ({ id, mode }: Shop, given: Given) =>
  world.others.request(browseCollections, { merchant: { id, mode }, ...given });
/** What is listed, by its number. */
const listed = async (merchant: Shop, given: Given) =>
  (await readAllPages((after) => browse(merchant, { ...given, after }))).map(({ amount }) => amount);
const sum = ({ id, mode }: Shop, given: Omit<WireInput<typeof sumCollections>, "merchant"> = {}) =>
  world.others.request(sumCollections, { merchant: { id, mode }, ...given });

test("an amount is found from and to, both included, and together with the other filters", async () => {
  const { merchant } = await aPaidShop(6);
  expect(await listed(merchant, { amount_from: "2", amount_to: "4", limit: "2" })).toEqual([4, 3, 2]);
  expect(await listed(merchant, { amount_from: "4.01" })).toEqual([6, 5]);
  expect(await listed(merchant, { amount_to: "1.99" })).toEqual([1]);
  expect(await listed(merchant, { amount_from: "4", amount_to: "2" })).toEqual([]);
  expect(await listed(merchant, { amount_from: "2", before: "2026-11-21T00:04:00Z" })).toEqual([3, 2]);
});

test("selected collections are listed, and no other merchant's", async () => {
  const { merchant, col } = await aPaidShop(4);
  const references = [col(1), col(3), "col_unknown"].join(",");
  expect(await listed(merchant, { references })).toEqual([3, 1]);
  expect(await listed(merchant, { references, amount_to: "2" })).toEqual([1]);
  for (const other of [aShop(), { ...merchant, mode: "live" as const }])
    expect(await listed(other, { references })).toEqual([]);
});

test.each([
  ["an amount in words", { amount_from: "ten" }, "amount_from"],
  ["a third decimal", { amount_to: "2.505" }, "amount_to"],
  ["more references than can be selected", { references: Array(101).fill("col_1").join() }, "references"],
  ["an empty reference", { references: "col_1," }, "references"],
  ["an unknown state of settlement", { settled: "maybe" }, "settled"],
])("%s is refused", async (_what, given, param) => {
  const refused = browse(aShop(), Object(given));
  await expect(refused).rejects.toMatchObject({
    code: "validation_failed",
    errors: [{ param: expect.stringContaining(param) }],
  });
});

test("the sums are those of the list with the same filters", async () => {
  const { merchant, col } = await aPaidShop(6);
  const totals = async (given: Parameters<typeof sum>[1]) => (await sum(merchant, given)).totals;
  expect(await totals({})).toEqual({ count: 6, amount: 21, fee: 0.21, net: 20.79 });
  expect(await totals({ amount_from: "2", amount_to: "4" })).toMatchObject({ count: 3, amount: 9 });
  expect(await totals({ from: "2026-11-21T00:05:00Z", before: "2026-11-21T00:06:00Z" })).toMatchObject({
    count: 1,
    amount: 5,
  });
  expect(await totals({ search: col(2) })).toMatchObject({ count: 1, amount: 2 });
  expect(await totals({ search: "nothing" })).toEqual({ count: 0, amount: 0, fee: 0, net: 0 });
  for (const other of [aShop(), { ...merchant, mode: "live" as const }])
    expect((await sum(other)).totals).toMatchObject({ count: 0 });
});

test("a search finds by amount, by payer, by reference or its beginning, and with the other filters", async () => {
  const { merchant, col } = await aPaidShop(4);
  expect(await listed(merchant, { search: "3" })).toEqual([3]);
  expect(await listed(merchant, { search: "3.01" })).toEqual([]);
  expect(await listed(merchant, { search: "ada" })).toEqual([4, 3, 2, 1]);
  expect(await listed(merchant, { search: "ada", amount_to: "2", limit: "1" })).toEqual([2, 1]);
  expect(await listed(merchant, { search: col(2).slice(0, -1) })).toEqual([4, 3, 2, 1]);
  expect(await listed(merchant, { search: "9000000001" })).toEqual([4, 3, 2, 1]);
  expect((await sum(merchant, { search: "3" })).totals).toMatchObject({ count: 1, amount: 3 });
  expect((await browse(merchant, { search: "ada" })).is_partial).toBe(false);
});

test("a payer of whom more is there than a search lists is listed in part, which is said", async () => {
  const { merchant } = await aPaidShop(SEARCHED_MAX + 1);
  const found = await browse(merchant, { search: "ada", limit: "500" });
  expect([found.data.length, found.next, found.is_partial]).toEqual([SEARCHED_MAX, null, true]);
});

test("so many are counted and no more", async () => {
  const { merchant } = await aPaidShop(SUMMED_MAX + 1);
  expect((await sum(merchant)).totals).toBeNull();
  expect((await sum(merchant, { amount_from: "2" })).totals).toMatchObject({ count: SUMMED_MAX });
});

test("what is settled, not settled yet, or could not be delivered is found with the other services' help", async () => {
  const { merchant, col, int } = await aPaidShop(9);
  settled.splice(0, settled.length, int(3), int(2), int(1));
  unsettled.splice(0, unsettled.length, int(9), int(8), randomId("int"));
  failed.splice(0, failed.length, col(8), col(2), col(2), "col_of_another");
  expect(await listed(merchant, { settled: "yes", limit: "2" })).toEqual([3, 2, 1]);
  expect(await listed(merchant, { settled: "no" })).toEqual([9, 8]);
  expect(await listed(merchant, { webhook: "exhausted" })).toEqual([8, 2]);
  expect(await listed(merchant, { webhook: "failing" })).toEqual([]);
  expect(await listed(merchant, { webhook: "exhausted", settled: "yes" })).toEqual([2]);
  expect(await listed(merchant, { webhook: "exhausted", settled: "no" })).toEqual([8]);
  expect(await listed(merchant, { settled: "yes", amount_from: "2", limit: "1" })).toEqual([3, 2]);
  expect(await listed(merchant, { settled: "no", references: [col(8), col(1)].join() })).toEqual([8]);
  expect(await listed(merchant, { webhook: "exhausted", references: [col(8), col(1)].join() })).toEqual([8]);
  expect(await listed(merchant, { settled: "no", from: "2026-11-21T00:09:00Z" })).toEqual([9]);
  expect(await listed(aShop(), { settled: "yes" })).toEqual([]);
});

test("a page of which nothing matches is skipped, and after several the cursor goes on", async () => {
  const { merchant, int } = await aPaidShop(9);
  settled.splice(0, settled.length, ...[9, 8, 7, 6, 5, 4, 3, 2, 1].map(int));
  const first = await browse(merchant, { settled: "yes", amount_to: "1", limit: "1" });
  expect([first.data, first.next]).toEqual([[], "5"]);
  expect(await listed(merchant, { settled: "yes", amount_to: "1", limit: "1" })).toEqual([1]);
});
