import { BANK_SCENARIOS, EventList, RECEIVER_SCENARIOS, ScenarioResult } from "@collect/contracts";
import { until } from "@collect/testing";
import { describe, expect, test } from "vitest";
import { type Client, client, refusal, refusalIn } from "../stack/client.ts";
import { sharedStack } from "../stack/shared.ts";
import type { TestMerchant } from "../stack.ts";

const stack = await sharedStack();

async function aShop(options: Parameters<typeof stack.createMerchant>[0] = {}) {
  const merchant = await stack.createMerchant(options);
  const api = client(stack.baseUrl, merchant.keys.sk_test);
  const { body } = await api.post("/customer_accounts", { customer_reference: "cust_42", customer_name: "Ada Obi" });
  return { merchant, api, account_number: String(body.account_number) };
}
type Shop = Awaited<ReturnType<typeof aShop>>;

const play = ({ api, account_number }: Shop, fields: object) =>
  api.post("/sandbox/scenarios", { seed: 7, account_number, ...fields });
const resultOf = async (shop: Shop, fields: object) => ScenarioResult.parse((await play(shop, fields)).body);
const eventsOf = async (api: Client) => EventList.parse((await api.get("/events?limit=100")).body).data;
type Shown = { reference: string; amount: number; net: number; amount_reversed?: number };
/** Everything that a merchant can see of its money. */
async function seen({ api }: Shop) {
  const [balance, collections, events] = await Promise.all([
    api.get("/balance"),
    api.get("/collections"),
    eventsOf(api),
  ]);
  const { as_of: _, ...money } = balance.body;
  return { money, collections: collections.body.data as Shown[], events };
}
const sum = (amounts: number[]) => Math.round(amounts.reduce((total, amount) => total + amount * 100, 0)) / 100;
const UNNAMED = { reference: null, collection_reference: null, account_number: null };
const dataOf = (body: string) => JSON.parse(body).data as Record<string, unknown>;

/** Makes the retries of a merchant due until nothing waits. */
const untilDelivered = (merchant: TestMerchant) =>
  until("everything is delivered", async () => {
    const due =
      "update deliveries set next_attempt_at = now() where merchant_id = $1 and status = 'pending' and not claimed";
    await stack.database("webhooks").query(due, [merchant.id]);
    const waiting = "select from deliveries where merchant_id = $1 and status = 'pending'";
    return (await stack.database("webhooks").query(waiting, [merchant.id])).rowCount === 0;
  });

describe.each(BANK_SCENARIOS)("%s", (name) => {
  test("credits every transfer once, with one event each and no gap, and the same again for a repeat", async () => {
    const shop = await aShop();
    const first = await play(shop, { name });
    const { reports } = ScenarioResult.parse(first.body);
    const referencesOf = (wanted: string[]) =>
      reports.flatMap(({ result, reference }) => (wanted.includes(result) ? [reference] : []));
    const credited = referencesOf(["credited"]);
    const references = referencesOf(["credited", "reversed"]);
    expect(new Set(credited).size).toBe(name === "reported_out_of_order" ? 3 : 1);

    const before = await seen(shop);
    expect(before.events.map(({ sequence }) => sequence)).toEqual(references.map((_, index) => index + 1));
    expect(before.events.map(({ reference }) => reference)).toEqual(references);
    expect(before.collections.map(({ reference }) => reference).toSorted()).toEqual(credited.toSorted());
    const left = before.collections.filter(({ amount_reversed }) => amount_reversed === undefined);
    expect([before.money.collected, left.length]).toEqual([
      sum(left.map(({ net }) => net)),
      2 * credited.length - references.length,
    ]);
    const received = await shop.merchant.untilReceived("test", references.length);
    expect(received.map(({ raw }) => raw.toString()).toSorted()).toEqual(
      before.events.map(({ body }) => body).toSorted(),
    );

    expect((await play(shop, { name })).text).toBe(first.text);
    await untilDelivered(shop.merchant);
    const after = await seen(shop);
    expect({ ...after, events: after.events.map(({ body }) => body) }).toEqual({
      ...before,
      events: before.events.map(({ body }) => body),
    });
    expect(shop.merchant.received("test")).toHaveLength(references.length);
  });

  test("the same seed and time give every merchant the same reports and data, but for what names the merchant", async () => {
    const fields = { name, paid_at: "2026-11-20T10:00:00.000+01:00" };
    const [one, other] = await Promise.all(
      [await aShop(), await aShop()].map(async (shop) => {
        const { reports } = await resultOf(shop, fields);
        const events = await eventsOf(shop.api);
        const anonymous = events.map(({ body }) => ({ ...dataOf(body), ...UNNAMED }));
        return { reports: reports.map(({ reference: _, ...report }) => report), anonymous };
      }),
    );
    expect(other).toEqual(one);
    expect(one?.anonymous[0]).toMatchObject({ paid_at: "2026-11-20T09:00:00.000+00:00" });
  });
});

test("with the test clock ahead a run has its time, and pays a session that was made by it", async () => {
  const shop = await aShop();
  const { body: clock } = await shop.api.post("/sandbox/clock", { advance_by: 30 * 86_400 });
  const { body: session } = await shop.api.post("/payments", { amount: 500, customer_reference: "cust_42" });
  const run = await resultOf(shop, { name: "reported_twice", amount: Number(session.amount), paid_at: clock.now });
  expect(run.reports[0]).toMatchObject({ result: "credited", reference: session.reference, paid_at: clock.now });
  const late = await resultOf(shop, { name: "reported_late", seed: 8 });
  expect(Date.parse(late.reports[0]?.paid_at ?? "")).toBe(Date.parse(String(clock.now)) - 86_400_000);
});

test("a payment session is paid once, however often the bank reports it, and not at all by money older than itself", async () => {
  const shop = await aShop();
  const { body: session } = await shop.api.post("/payments", { amount: 5000 });
  const fields = { account_number: session.account_number, amount: session.amount };
  const status = async () => (await shop.api.get(`/payments/${session.reference}`)).body;
  await play(shop, { name: "reported_late", ...fields });
  expect(await status()).toMatchObject({ status: "pending", collections: [] });
  const twice = await resultOf(shop, { name: "reported_twice", ...fields });
  expect(twice.reports.map(({ reference }) => reference)).toEqual([session.reference, session.reference]);
  expect(await status()).toMatchObject({ status: "paid", amount_received: session.amount });
});

describe.each(RECEIVER_SCENARIOS)("%s", (name) => {
  const isLost = name === "response_lost";

  test("the event is sent again until it is acknowledged, with its bytes and number, and the money is there meanwhile", async () => {
    const shop = await aShop();
    const { text, body } = await play(shop, { name, times: 2 });
    expect((await seen(shop)).money).toMatchObject({ collected: expect.toSatisfy((naira) => naira > 0) });
    await untilDelivered(shop.merchant);
    const received = shop.merchant.received("test");
    expect(received.map(({ headers }) => headers["x-service-attempt"])).toEqual(isLost ? ["1", "2", "3"] : ["3"]);
    expect(new Set(received.map(({ raw, headers }) => `${headers["x-service-delivery"]} ${raw}`)).size).toBe(1);
    const [event, ...more] = await eventsOf(shop.api);
    expect([more, event]).toMatchObject([[], { delivery: { status: "delivered", attempts: 3, last_status: 200 } }]);
    expect(event?.reference).toBe(ScenarioResult.parse(body).reports[0]?.reference);

    expect((await play(shop, { name, times: 2 })).text).toBe(text);
    expect(await eventsOf(shop.api)).toEqual([event]);
    expect(shop.merchant.received("test")).toHaveLength(received.length);
  });
});

/** Repeats a run until it is over. What was committed and not published waits for the sweep: it is made due. */
const untilPlayed = (shop: Shop, fields: object) =>
  until("the run is over", async () => {
    const due = "update inbound_transfers set drive_at = now() where merchant_id = $1 and completed_at is null";
    await stack.database("accounts").query(due, [shop.merchant.id]);
    const { status, body } = await play(shop, fields);
    return status === 200 && ScenarioResult.parse(body);
  });

test("a run in which accounts dies after its first commit is finished by a repeat, and every transfer is credited once", async () => {
  const shop = await aShop();
  const fields = { name: "reported_out_of_order" };
  const accounts = stack.service("accounts");
  await accounts.restart({ env: { FAILPOINT: "committed" } });
  // It gets no response in time, and does not wait for it.
  void play(shop, fields).catch(() => {});
  await accounts.exited();
  await accounts.restart();
  const { reports } = await untilPlayed(shop, fields);
  await untilDelivered(shop.merchant);
  const { money, collections, events } = await seen(shop);
  expect(reports.map(({ result }) => result)).toEqual(Array(3).fill("credited"));
  expect(events.map(({ reference }) => reference)).toEqual(reports.map(({ reference }) => reference));
  expect(money.collected).toBe(sum(collections.map(({ net }) => net)));
});

describe("refusals", () => {
  test("a live key, an account of another merchant, and a scenario of a server that has no URL", async () => {
    const [shop, other] = [await aShop(), await aShop({ webhook: null })];
    const live = client(stack.baseUrl, shop.merchant.keys.sk_live);
    const withLiveKey = await play({ ...shop, api: live }, { name: "reported_twice" });
    expect(refusalIn(withLiveKey)).toEqual(refusal("test_key_required", { mode: "live" }));
    const foreign = await play(shop, { name: "reported_twice", account_number: other.account_number });
    expect(refusalIn(foreign)).toEqual(refusal("not_found", { mode: "test", params: ["account_number"] }));
    const withoutUrl = await play(other, { name: "receiver_fails" });
    expect(refusalIn(withoutUrl)).toEqual(refusal("no_webhook_url", { mode: "test" }));
    for (const one of [shop, other]) expect(await eventsOf(one.api)).toEqual([]);
  });

  test("an unknown name and a field of other scenarios are named, and a form is as good as JSON", async () => {
    const shop = await aShop();
    const unknown = await play(shop, { name: "bank_explodes" });
    expect(refusalIn(unknown)).toEqual(refusal("validation_failed", { mode: "test", params: ["name"] }));
    const misplaced = await play(shop, { name: "reported_twice", times: 2 });
    expect(refusalIn(misplaced)).toEqual(refusal("validation_failed", { mode: "test", params: ["times"] }));
    const { account_number } = shop;
    const form = { name: "reported_twice", seed: "7", amount: "2500.73", account_number };
    const sent = await shop.api.send("POST", "/sandbox/scenarios", { form });
    expect((await play(shop, { name: "reported_twice", amount: 2500.73 })).text).toBe(sent.text);
  });
});
