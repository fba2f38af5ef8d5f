import { getApiCall } from "@collect/contracts";
import { beforeEach, expect, test } from "vitest";
import { aShop, call, requestLogOf, useGateway } from "./gateway.ts";
import { useOthers } from "./others.ts";
import { codeOf } from "./people.ts";

/** One line of the request log, as the dashboard opens it. */

const { world, gateway } = await useGateway();
const others = await useOthers(world);
const { browse, logged } = requestLogOf(world);

beforeEach(() => others.refuseWith(undefined));

const open = (merchant: { id: string; mode: "test" | "live" }, id: string) =>
  world.others.request(getApiCall, { merchant, id });

/** The newest call of a merchant, opened. */
async function newest(id: string, { count = 1, mode = "test" }: { count?: number; mode?: "test" | "live" } = {}) {
  const [row] = await logged(id, count, mode);
  return open({ id, mode }, row?.id ?? "");
}

test("a refused call says why in the words of its response, and in test mode what was sent", async () => {
  const { id, sk_test } = await aShop(world);
  const body = { outcome: "paid", amount: -5, payer_name: "O'Brien" };
  const path = "/customer_accounts/cust_1/simulate_payment";
  const refused = await call(gateway, "POST", path, { key: sk_test, body });
  const opened = await newest(id);
  expect(opened).toMatchObject({
    method: "POST",
    path: `/v1${path}`,
    status: 400,
    code: "validation_failed",
    request_id: refused.body.request_id,
    made: null,
    query: null,
    body: { type: "application/json", text: JSON.stringify(body) },
  });
  expect(opened.problem).toEqual({ detail: refused.body.detail, errors: refused.body.errors });
  expect(opened.problem?.errors.map(({ param }) => param)).toEqual(["amount"]);
});

test("of a call with a live key the refusal is kept, and nothing that was sent", async () => {
  const { id, sk_live } = await aShop(world);
  await call(gateway, "POST", "/payments?trace=1", {
    key: sk_live,
    body: { amount: "much", description: "Two tickets" },
  });
  const opened = await newest(id, { mode: "live" });
  expect(opened).toMatchObject({ status: 400, query: null, body: null });
  expect(opened.problem?.errors.map(({ param }) => param)).toContain("amount");
  await expect(
    world.owner.query("update api_calls set query = 'trace=1' where merchant_id = $1", [id]),
  ).rejects.toThrow("live_calls_without_content");
});

test("a body is kept as it was sent: a form, one that cannot be parsed, with bytes that no text has; and none above the limit", async () => {
  const { id, sk_test } = await aShop(world);
  const send = (body: string, type?: string) =>
    call(gateway, "POST", "/payments", { key: sk_test, body, ...(type && { type }) });
  const form = "application/x-www-form-urlencoded";
  const kept: [sent: string, type: string, text: string][] = [
    ["amount=2500&metadata%5Border%5D=17", form, "amount=2500&metadata%5Border%5D=17"],
    ['{"amount": 2500,', "application/json", '{"amount": 2500,'],
    ['{"description":"a\0b"}', "application/json", '{"description":"a\uFFFDb"}'],
  ];
  for (const [sent, type] of kept) await send(sent, type);
  await send(JSON.stringify({ amount: 2500, description: "x".repeat(2_000) }));
  const rows = (await logged(id, 4)).toReversed();
  const opened = await Promise.all(rows.map((row) => open({ id, mode: "test" }, row.id)));
  expect(opened.map(({ body }) => body)).toEqual([
    ...kept.map(([, type, text]) => ({ type, text })),
    { type: "application/json", text: null },
  ]);
});

test("a call says what its response is about, and is found by it", async () => {
  const { id, sk_test } = await aShop(world);
  const { body } = await call(gateway, "POST", "/payments", { key: sk_test, body: { amount: 2500 } });
  await call(gateway, "GET", `/payments/${body.reference}?x=1&y=%27`, { key: sk_test });
  const read = await newest(id, { count: 2 });
  expect(read).toMatchObject({ made: body.reference, query: "x=1&y=%27", body: null, problem: null });
  await call(gateway, "GET", "/balance", { key: sk_test });
  await logged(id, 3);
  const found = (await browse(id, { search: String(body.reference) })).data;
  expect(found.map(({ method, made }) => [method, made])).toEqual([
    ["GET", body.reference],
    ["POST", body.reference],
  ]);
  expect((await browse(id, { search: String(body.reference).slice(0, -1) })).data).toEqual([]);
});

test("a call of another merchant, of the other mode or of no id is not found", async () => {
  const [mine, other] = [await aShop(world), await aShop(world)];
  await call(gateway, "GET", "/balance", { key: mine.sk_test });
  const [row] = await logged(mine.id, 1);
  const id = row?.id ?? "";
  expect((await open({ id: mine.id, mode: "test" }, id)).path).toBe("/v1/balance");
  const elsewhere = [
    [{ id: other.id, mode: "test" }, id],
    [{ id: mine.id, mode: "live" }, id],
    [{ id: mine.id, mode: "test" }, "999999999999999999"],
  ] as const;
  for (const [merchant, asked] of elsewhere) expect(await codeOf(open(merchant, asked))).toBe("not_found");
  for (const malformed of ["", "1e3", "-1", "1'", "1".repeat(19)])
    expect(await codeOf(open({ id: mine.id, mode: "test" }, malformed))).toBe("validation_failed");
});
