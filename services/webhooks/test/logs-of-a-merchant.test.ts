import { DELIVERY_STATUSES, MODES } from "@collect/contracts";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { attemptsOf, attemptsOfEvents } from "../src/store/attempt-log.ts";
import { deliveriesOfEvent, findDelivery, pageOfDeliveries } from "../src/store/delivery-log.ts";
import { eventsAbout, findEvent, pageOfEvents } from "../src/store/event-log.ts";
import { useWebhooksWorld } from "./service.ts";

/** Everybody's logs have the same numbers and references: only the merchant and the mode tell their rows apart. */
const OWNERS = ["mer_a", "mer_b"].flatMap((id) => MODES.map((mode) => ({ id, mode })));
const ROWS = 12;

const world = await useWebhooksWorld();
beforeAll(async () => {
  for (const [index, { id, mode }] of OWNERS.entries()) {
    // The amount says whose an event is, and the number whose a delivery.
    const rows = `select n, $3::integer * 100 + n as own from generate_series(1, ${ROWS}) n`;
    for (const insert of [
      `insert into events (merchant_id, mode, sequence, key, kind, reference, amount_kobo, body, created_at)
       select $1, $2, n, $1 || $2 || n, case n % 3 when 0 then 'transfer.success' else 'collection.success' end, 'same_' || n / 2, own,
         'x', timestamptz '2026-11-21' + n * interval '1 hour' from (${rows}) r`,
      `insert into deliveries (number, merchant_id, mode, sequence, url, kind, status, attempts, next_attempt_at, created_at)
       select own, $1, $2, n, 'https://x', case n % 3 when 0 then '' else 'collection.success' end,
         case n % 4 when 0 then 'pending' when 1 then 'exhausted' else 'delivered' end, 1, case n % 4 when 0 then now() end,
         timestamptz '2026-11-21' + n * interval '1 hour' from (${rows}) r`,
      `insert into attempts (delivery_number, attempt, started_at, duration_ms, status)
       select own, 1, now(), 5, 200 from (${rows}) r where $1::text <> $2::text`,
    ])
      await world.owner.query(insert, [id, mode, index + 1]);
  }
});

const optional = <Value>(values: readonly Value[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
/** The numbers of everybody's events and deliveries. */
const SELECTED = Array.from({ length: 500 }, (_, n) => String(n + 1));
const Query = fc.record({
  index: fc.nat(OWNERS.length - 1),
  below: fc.constantFrom("9223372036854775807", "305", "7"),
  span: optional([
    { from: "-infinity", before: "infinity" },
    { from: "2026-11-21", before: "2026-11-22" },
  ]),
  rows: fc.integer({ min: 1, max: 50 }),
  event: optional(["collection.success", "transfer.success", "test"]),
  search: optional(["same_1", "same_3", "205"]),
  status: optional(DELIVERY_STATUSES),
  onlyFailing: fc.boolean(),
  isSelected: fc.boolean(),
  number: fc.integer({ min: 100, max: 420 }),
});
type Asked = typeof Query extends fc.Arbitrary<infer Value> ? Value : never;

test("no log shows a row of another merchant or of the other mode, whatever is asked for and from wherever a page goes on", async () => {
  await fc.assert(
    fc.asyncProperty(Query, async (asked) => {
      for (const shown of await everyLog(asked))
        expect(shown.filter((own) => Math.floor(Number(own) / 100) !== asked.index + 1)).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test("and each shows all of the merchant's own rows where nothing narrows it", async () => {
  for (const index of OWNERS.keys()) {
    const nothing = { event: undefined, search: undefined, status: undefined, onlyFailing: false, isSelected: false };
    const shown = await everyLog({
      ...nothing,
      index,
      below: "9223372036854775807",
      span: undefined,
      rows: 50,
      number: (index + 1) * 100 + 4,
    });
    expect(shown.map((rows) => rows.length)).toEqual([ROWS, ROWS, 1, 1, 1, 1, 1, 2]);
  }
});

/** What each log shows, by amounts and numbers that say whose they are. */
async function everyLog({
  index,
  below,
  span,
  rows,
  event,
  search,
  status,
  onlyFailing,
  number,
  isSelected,
}: Asked): Promise<bigint[][]> {
  const { pool } = world;
  const owner = OWNERS[index] ?? OWNERS[0];
  if (!owner) return [];
  const page = {
    page: { below, span },
    rows,
    event,
    search,
    number: search === "205" ? search : undefined,
    selected: isSelected ? SELECTED : undefined,
  };
  const statuses = status === undefined ? DELIVERY_STATUSES : [status];
  const sequence = number % 100;
  const [event1, delivery] = await Promise.all([findEvent(pool, owner, sequence), findDelivery(pool, owner, number)]);
  return [
    amounts(await pageOfEvents(pool, owner, page)),
    numbers(
      await pageOfDeliveries(pool, owner, { ...page, statuses: onlyFailing ? ["pending"] : statuses, onlyFailing }),
    ),
    amounts(event1 ? [event1] : []),
    numbers(delivery ? [delivery] : []),
    numbers(await deliveriesOfEvent(pool, owner, sequence)),
    numbers(await attemptsOf(pool, owner, [BigInt(number)])),
    numbers(await attemptsOfEvents(pool, owner, [BigInt(sequence)])),
    amounts(await eventsAbout(pool, owner, "same_2")),
  ];
}

const amounts = (rows: { amount_kobo: bigint }[]) => rows.map(({ amount_kobo }) => amount_kobo);
const numbers = (rows: { number: bigint }[]) => rows.map(({ number }) => number);
