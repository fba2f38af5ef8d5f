import { answer, serveRequests } from "@collect/bus";
import {
  type Input,
  issueCollectionAccount,
  issueCustomerAccount,
  listExceptions,
  Problem,
  playScenario,
  retireCustomerAccount,
  simulateResponses,
} from "@collect/contracts";
import { aMerchant, startComponents, until } from "@collect/testing";
import { afterAll, describe, expect, test } from "vitest";
import { referenceOf, usePath } from "./others.ts";

const { world, path } = await usePath();

/** A fake for webhooks, which records what it is to simulate; the merchants without a URL are refused. */
const simulated: Input<typeof simulateResponses>[] = [];
const withoutUrl = new Set<string>();
const webhooks = answer(simulateResponses, async (order) => {
  if (withoutUrl.has(order.merchant.id)) throw new Problem("no_webhook_url", "No webhook URL is set.");
  simulated.push(order);
  return {};
});
afterAll(
  await startComponents([serveRequests(world.others, { service: "webhooks", log: world.log, requests: [webhooks] })]),
);

async function aShop() {
  const merchant = { ...aMerchant("test"), name: "Acme Stores" };
  const customer = { merchant, customer_reference: "cust_42", customer_name: "Ada Obi" };
  const { account } = await world.others.request(issueCustomerAccount, customer);
  return { merchant, account_number: account.account_number };
}
type Shop = Awaited<ReturnType<typeof aShop>>;
type Fields = Parameters<typeof world.others.request<typeof playScenario>>[1];
const play = (shop: Shop, fields: Omit<Fields, "merchant" | "account_number"> & { account_number?: string }) =>
  world.others.request(playScenario, { ...shop, ...fields });
const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error) => error,
  );
const factsOf = ({ merchant }: Shop) => path.received.all.filter((fact) => fact.merchant.id === merchant.id);
/** As they remain: the response does not wait until the rows are completed. */
async function rowsOf({ merchant }: Shop) {
  const read = async () =>
    (await world.owner.query("select * from inbound_transfers where merchant_id = $1", [merchant.id])).rows;
  await until("they are completed", async () => (await read()).every((row) => row.completed_at !== null));
  return read();
}
const quarantinedOf = async ({ merchant }: Shop) =>
  (await world.owner.query("select amount, times from quarantined_transfers where merchant_id = $1", [merchant.id]))
    .rows;
const results = ({ reports }: Awaited<ReturnType<typeof play>>) => reports.map(({ result }) => result);

describe("the bank", () => {
  test("reports a transfer twice: one is credited", async () => {
    const shop = await aShop();
    const result = await play(shop, { name: "reported_twice", seed: 7, amount: 2500.73 });
    expect(results(result)).toEqual(["credited", "duplicate"]);
    const [fact, ...more] = factsOf(shop);
    expect([more, await rowsOf(shop)]).toMatchObject([[], [{ amount: 250_073n }]]);
    const reference = referenceOf(fact?.intakeId ?? "");
    expect(result).toMatchObject({
      name: "reported_twice",
      seed: 7,
      account_number: shop.account_number,
      reports: Array(2).fill({ amount: 2500.73, reference, paid_at: fact?.paidAt, payer_name: fact?.payer.name }),
      mode: "test",
    });
  });

  test("reports late: the transfer was paid a day before it is received", async () => {
    const shop = await aShop();
    await play(shop, { name: "reported_late", seed: 7 });
    const [row] = await rowsOf(shop);
    const lateMs = Date.parse(row.received_at) - Date.parse(row.paid_at);
    expect(Math.round(lateMs / 60_000)).toBe(24 * 60);
  });

  test("reports out of order: the last payment comes first", async () => {
    const shop = await aShop();
    const { reports } = await play(shop, { name: "reported_out_of_order", seed: 7 });
    expect(reports.map(({ result }) => result)).toEqual(Array(3).fill("credited"));
    const times = reports.map(({ paid_at }) => Date.parse(paid_at));
    expect(times).toEqual([times[0], Number(times[0]) - 60_000, Number(times[0]) - 120_000]);
    const inOrder = factsOf(shop).map(({ intakeId }) => referenceOf(intakeId));
    expect(reports.map(({ reference }) => reference)).toEqual([...new Set(inOrder)]);
  });

  test("reports another amount under a known id: it is quarantined for the merchant, and concerns no operator", async () => {
    const shop = await aShop();
    const result = await play(shop, { name: "reported_with_another_amount", seed: 7, amount: 100 });
    expect(result.reports).toMatchObject([
      { result: "credited", amount: 100 },
      { result: "quarantined", amount: 101, reference: null },
    ]);
    expect([await rowsOf(shop), await quarantinedOf(shop)]).toMatchObject([
      [{ amount: 10_000n }],
      [{ amount: 10_100n }],
    ]);
    const { quarantined } = await world.others.request(listExceptions, {});
    expect(quarantined.filter(({ mode }) => mode === "test")).toEqual([]);
  });

  test("pays into a collection account, too", async () => {
    const shop = await aShop();
    const { account_number } = await world.others.request(issueCollectionAccount, {
      merchant: shop.merchant,
      position: 1,
    });
    await play(shop, { name: "reported_twice", seed: 7, account_number });
    expect(factsOf(shop)).toMatchObject([{ accountNumber: account_number, customer: null }]);
  });
});

test("the merchant's server: webhooks is to simulate it for the event of the transfer, before the transfer is received", async () => {
  const shop = await aShop();
  const result = await play(shop, { name: "receiver_fails", seed: 7, times: 3 });
  const { id, mode } = shop.merchant;
  const [row] = await rowsOf(shop);
  expect(simulated.filter(({ merchant }) => merchant.id === id)).toEqual([
    { merchant: { id, mode }, intake_id: row.intake_id, response: "receiver_fails", times: 3 },
  ]);
  expect(results(result)).toEqual(["credited"]);
  withoutUrl.add(id);
  const counted = async () =>
    (await world.owner.query("select amount from test_volumes where merchant_id = $1", [id])).rows;
  const before = await counted();
  const refused = await failure(play(shop, { name: "receiver_fails", seed: 8 }));
  expect([refused, await rowsOf(shop)]).toMatchObject([{ code: "no_webhook_url" }, { length: 1 }]);
  expect(await counted()).toEqual(before);
});

describe("the same seed", () => {
  test.each([
    "reported_twice",
    "reported_late",
    "reported_out_of_order",
    "reported_with_another_amount",
    "receiver_times_out",
  ] as const)(
    "%s: the same response to the byte, once or twice at the same time and again, and nothing is credited twice",
    async (name) => {
      const shop = await aShop();
      const played = await Promise.all([play(shop, { name, seed: 7 }), play(shop, { name, seed: 7 })]);
      const rows = await rowsOf(shop);
      played.push(await play(shop, { name, seed: 7 }));
      // When two begin at the same time, the payment times of one of them are stored.
      expect(new Set(played.map((result) => JSON.stringify(result))).size).toBe(1);
      expect(await rowsOf(shop)).toEqual(rows);
      await play(shop, { name, seed: 8 });
      expect((await rowsOf(shop)).length).toBe(2 * rows.length);
    },
  );

  test("a run that was cut short is finished by its repeat", async () => {
    const shop = await aShop();
    const whole = await play(await aShop(), { name: "reported_out_of_order", seed: 7, paid_at: PAID_AT });
    // The first two transfers of it, as a process that died after them left them. A trigger keeps all others.
    const cut = await play(shop, { name: "reported_out_of_order", seed: 7, paid_at: PAID_AT });
    expect(await rowsOf(shop)).toHaveLength(3);
    await world.owner.query(`set session_replication_role = replica;
      delete from inbound_transfers where reference = '${cut.reports[2]?.reference}';
      set session_replication_role = default`);
    expect(await rowsOf(shop)).toHaveLength(2);
    const again = await play(shop, { name: "reported_out_of_order", seed: 7, paid_at: PAID_AT });
    expect(again).toEqual(cut);
    expect(await rowsOf(shop)).toHaveLength(3);
    // Another merchant's run differs in nothing but its account and its references.
    const values = (run: typeof whole) => run.reports.map(({ reference: _, ...report }) => report);
    expect(values(again)).toEqual(values(whole));
  });
});
const PAID_AT = "2026-11-20T10:00:00.000+00:00";

describe("refusals", () => {
  test.each([
    [{ name: "unknown" as never, seed: 7 }, ["name"]],
    [{ name: "reported_twice", seed: -1 }, ["seed"]],
    [{ name: "reported_twice", seed: 1.5 }, ["seed"]],
    [{ name: "reported_twice" } as never, ["seed"]],
    [{ name: "reported_twice", seed: 7, amount: 0 }, ["amount"]],
    [{ name: "reported_twice", seed: 7, amount: 10_000_000_000.01 }, ["amount"]],
    [{ name: "reported_twice", seed: 7, times: 2 }, ["times"]],
    [{ name: "receiver_fails", seed: 7, times: 16 }, ["times"]],
    [{ name: "reported_late", seed: 7, paid_at: "2999-01-01T00:00:00Z" }, ["paid_at"]],
    [{ name: "reported_late", seed: 7, paid_at: "2001-01-01T00:00:00Z" }, ["paid_at"]],
  ] as const)("%j names its fields and sends nothing", async (fields, params) => {
    const shop = await aShop();
    const refused = await failure(play(shop, fields));
    expect(refused).toMatchObject({ code: "validation_failed" });
    expect(refused.errors.map(({ param }: { param: string }) => param)).toEqual(params);
    expect(await rowsOf(shop)).toEqual([]);
  });

  test("another merchant's account and an unknown one are not found; a retired one and live mode are refused", async () => {
    const [shop, other] = [await aShop(), await aShop()];
    const into = (account_number: string) => failure(play(shop, { name: "reported_twice", seed: 7, account_number }));
    for (const number of [other.account_number, "0000000000"])
      expect(await into(number)).toMatchObject({ code: "not_found" });
    const live = { ...shop, merchant: { ...shop.merchant, mode: "live" as const } };
    expect(await failure(play(live, { name: "reported_twice", seed: 7 }))).toMatchObject({ code: "test_key_required" });
    await world.others.request(retireCustomerAccount, { merchant: shop.merchant, customer_reference: "cust_42" });
    expect(await into(shop.account_number)).toMatchObject({ code: "account_retired" });
    expect([await rowsOf(shop), await rowsOf(other)]).toEqual([[], []]);
  });

  test("the test money of the day is limited", async () => {
    const shop = await aShop();
    const spend = (seed: number) => play(shop, { name: "reported_twice", seed, amount: 10_000_000_000 });
    await Promise.all([spend(1), spend(2)]);
    expect(await failure(spend(3))).toMatchObject({ code: "rate_limited" });
    expect(await rowsOf(shop)).toHaveLength(2);
  });
});
