import { browseDeliveries, browseEvents } from "@collect/contracts";
import { aMerchant } from "@collect/testing";
import { beforeAll, expect, test } from "vitest";
import { endedAs, recordedEvents } from "./history.ts";
import { setUrl, useWebhooks } from "./service.ts";

const world = await useWebhooks({ pollMs: 3_600_000 });
const merchant = aMerchant();

/** In the order of their numbers. The fourth, a test event, was recorded while the test clock was ahead. */
const RECORDED = [
  "2026-11-20T22:59:59.999Z",
  "2026-11-20T23:00:00.000Z",
  "2026-11-21T12:00:00.000Z",
  "2026-11-20T12:00:00.000Z",
  "2026-11-21T12:00:00.000Z",
  "2026-11-21T23:00:00.000Z",
];
/** The 21st in Lagos. */
const DAY = { from: "2026-11-21T00:00:00+01:00", before: "2026-11-22T00:00:00+01:00" };

beforeAll(async () => {
  await setUrl(world, merchant, "http://127.0.0.1:9/hook");
  await recordedEvents(world, merchant, RECORDED.length);
  await endedAs(world, merchant, "delivered");
  for (const table of ["events", "deliveries"])
    await world.owner.query(
      `update ${table} t set created_at = r.at from unnest($2::timestamptz[]) with ordinality r (at, n)
       where t.merchant_id = $1 and t.sequence = r.n`,
      [merchant.id, RECORDED],
    );
  await world.owner.query("update deliveries set status = 'exhausted' where merchant_id = $1 and sequence = 3", [
    merchant.id,
  ]);
});

type Filters = Partial<Record<"from" | "before" | "after" | "search" | "references", string>> & { limit?: number };
const LISTS = {
  events: (filters: Filters, of = merchant) => world.others.request(browseEvents, { merchant: of, ...filters }),
  deliveries: (filters: Filters, of = merchant) => world.others.request(browseDeliveries, { merchant: of, ...filters }),
};
const NAMES = Object.keys(LISTS) as (keyof typeof LISTS)[];
const sequences = ({ data }: { data: { sequence: number }[] }) => data.map(({ sequence }) => sequence);

test.each(NAMES)("%s of a day in Lagos are those created in it, newest first", async (name) => {
  const list = LISTS[name];
  expect(sequences(await list(DAY))).toEqual([5, 3, 2]);
  expect(sequences(await list({ from: DAY.from }))).toEqual([6, 5, 3, 2]);
  expect(sequences(await list({ before: DAY.from }))).toEqual([1, 4]);
  expect(sequences(await list({ from: DAY.before, before: DAY.from }))).toEqual([]);
  expect(sequences(await list(DAY, aMerchant()))).toEqual([]);
});

test.each(NAMES)("%s of a day are paged through without a gap, also where two have the same time", async (name) => {
  const seen: number[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const page = await LISTS[name]({ ...DAY, limit: 1, ...(after !== undefined && { after }) });
    seen.push(...sequences(page));
    after = page.next;
  }
  expect(seen).toEqual([5, 3, 2]);
});

test("a day narrows what the other filters find", async () => {
  const { data } = await LISTS.events({});
  const reference = (sequence: number) => data.find((event) => event.sequence === sequence)?.reference ?? "";
  const number = (sequence: number) => String(data.find((event) => event.sequence === sequence)?.delivery?.number);
  for (const [sequence, found] of [
    [3, [3]],
    [4, []],
  ] as const) {
    expect(sequences(await LISTS.events({ ...DAY, search: reference(sequence) }))).toEqual(found);
    expect(sequences(await LISTS.events({ ...DAY, references: String(sequence) }))).toEqual(found);
    for (const search of [reference(sequence), number(sequence)])
      expect(sequences(await LISTS.deliveries({ ...DAY, search }))).toEqual(found);
    expect(sequences(await LISTS.deliveries({ ...DAY, references: number(sequence) }))).toEqual(found);
  }
  const of = (filters: object) => world.others.request(browseDeliveries, { merchant, ...DAY, ...filters });
  expect(sequences(await of({ status: "exhausted" }))).toEqual([3]);
  expect(sequences(await of({ status: "failing" }))).toEqual([]);
  expect(sequences(await of({ event: "collection.success", status: "delivered" }))).toEqual([5, 2]);
  expect(sequences(await of({ event: "transfer.success" }))).toEqual([]);
  const events = { merchant, ...DAY, event: "transfer.success" };
  expect(sequences(await world.others.request(browseEvents, events))).toEqual([]);
});

test.each(NAMES)("%s refuse a day that is none, and the cursor of a page without days", async (name) => {
  const refused = (param: string) => ({ code: "validation_failed", errors: [expect.objectContaining({ param })] });
  await expect(LISTS[name]({ from: "yesterday" })).rejects.toMatchObject(refused("from"));
  await expect(LISTS[name]({ before: "2026-11-31T00:00:00Z" })).rejects.toMatchObject(refused("before"));
  const { next } = await LISTS[name]({ limit: 1 });
  await expect(LISTS[name]({ ...DAY, after: next ?? "" })).rejects.toMatchObject(refused("after"));
});
