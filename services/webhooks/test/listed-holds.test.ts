import { listWebhookHolds, pauseWebhookEndpoint, type WireInput } from "@collect/contracts";
import { aMerchant, startReceiver } from "@collect/testing";
import { expect, onTestFinished, test } from "vitest";
import { useHolding } from "./holding.ts";

const { world, current, anEndpoint, held, pay, untilHold, untilProbed, probeDue, fail } = await useHolding();

const list = (query: WireInput<typeof listWebhookHolds> = {}) => world.others.request(listWebhookHolds, query);
const ours = async () => (await list({ merchant_id: current().merchant.id })).data;
const insertHold = (merchantId: string, since: string) =>
  world.owner.query(
    "insert into holds (merchant_id, mode, state, next_batch_at, since) values ($1, 'test', 'paused', now(), $2)",
    [merchantId, since],
  );

test("a held endpoint is listed with what waits, how its oldest event was answered and when it is tried next", async () => {
  await held(12);
  const { merchant } = current();
  const [hold, ...others] = await ours();
  expect(others).toEqual([]);
  expect(hold).toMatchObject({ merchant_id: merchant.id, mode: merchant.mode, state: "held", waiting: 12 });
  expect(hold).toMatchObject({ last_acknowledged_at: null, lost_change_at: null });
  expect(hold).toMatchObject({ last_attempt: { status: 503, at: expect.any(String) } });
  expect(hold?.host).toMatch(/^127\.0\.0\.1:\d+$/);
  const { rows } = await world.owner.query(
    "select min(created_at) as oldest, (select next_batch_at from holds where merchant_id = $1) as next from events where merchant_id = $1",
    [merchant.id],
  );
  expect([hold?.oldest_at, hold?.next_attempt_at]).toEqual([rows[0]?.oldest, rows[0]?.next]);
  fail();
  await probeDue();
  await untilProbed(2);
  expect((await ours())[0]).toMatchObject({ oldest_at: hold?.oldest_at, waiting: 12 });
});

test("a paused endpoint is listed with nothing tried, and none that gets its events at once", async () => {
  await pay(1);
  await current().receiver.count(1);
  expect(await ours()).toEqual([]);
  await world.others.request(pauseWebhookEndpoint, { merchant: current().merchant });
  await pay(3);
  await untilHold("they wait", (hold) => hold?.waiting === 3);
  expect(await ours()).toMatchObject([
    {
      state: "paused",
      waiting: 3,
      last_attempt: null,
      last_acknowledged_at: expect.any(String),
      next_attempt_at: null,
    },
  ]);
  expect((await list({ merchant_id: current().merchant.id, state: "held" })).data).toEqual([]);
});

test("the list goes from the longest on, a page after another, by merchant, mode and state", async () => {
  const receiver = await startReceiver();
  onTestFinished(receiver.stop);
  const [first, second, third] = [await anEndpoint(receiver.url), await anEndpoint(receiver.url), aMerchant()];
  await insertHold(second.id, "2026-01-02T00:00:00Z");
  await insertHold(first.id, "2026-01-01T00:00:00Z");
  await insertHold(third.id, "2026-01-02T00:00:01Z");
  const seen: string[] = [];
  for (let after: string | undefined; seen.length < 3; ) {
    const page = await list({ limit: "1", mode: "test", state: "paused", ...(after && { after }) });
    seen.push(...page.data.map(({ merchant_id }) => merchant_id));
    after = page.next ?? undefined;
  }
  expect(seen).toEqual([first.id, second.id, third.id]);
  expect((await list({ merchant_id: third.id })).data).toMatchObject([{ host: null, waiting: 0, oldest_at: null }]);
  expect((await list({ mode: "live", merchant_id: first.id })).data).toEqual([]);
  await expect(list({ after: "made up" })).rejects.toMatchObject({ code: "validation_failed" });
});

test("what waits is counted up to a thousand", async () => {
  const { merchant } = current();
  await insertHold(merchant.id, "2026-03-01T00:00:00Z");
  await world.owner.query(
    `with inserted as (
       insert into events (merchant_id, mode, sequence, key, kind, reference, amount_kobo, body, created_at)
       select $1, $2, n, $1 || n, 'collection.success', 'col_' || n, 100, 'x', now() from generate_series(1, 1200) n)
     insert into deliveries (merchant_id, mode, sequence, url, kind)
     select $1, $2, n, 'https://x', 'collection.success' from generate_series(1, 1200) n`,
    [merchant.id, merchant.mode],
  );
  expect((await ours())[0]).toMatchObject({ waiting: 1_000 });
});
