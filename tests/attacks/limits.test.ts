import { nuban } from "@collect/bank";
import { setWebhookEndpoint } from "@collect/contracts";
import { startReceiver, until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { type Answer, client } from "../stack/client.ts";
import { aMember, signUp } from "../stack/person.ts";
import { startStack } from "../stack.ts";

/** What an insider or a stranger once could make without end. Local URLs, too, must answer a challenge here. */
const stack = await startStack({ env: { webhooks: { CONFIRM_PRIVATE_URLS: "true" } } });
afterAll(() => stack.stop());

type Outcome = Pick<Answer, "status" | "body"> & Partial<Pick<Answer, "headers">>;
const count = (answers: Outcome[], status: number) => answers.filter((answer) => answer.status === status).length;
/** Ten at a time: as an attacker, whose machine this is, too. */
async function times(calls: number, call: (n: number) => Promise<Outcome>): Promise<Outcome[]> {
  const answers: Outcome[] = [];
  for (let from = 0; from < calls; from += 10)
    answers.push(
      ...(await Promise.all(Array.from({ length: Math.min(10, calls - from) }, (_, at) => call(from + at)))),
    );
  return answers;
}

test("300 live name enquiries through the dashboard and the API give 60 names, each on record, and no more of them at the bank", async () => {
  const merchant = await stack.createMerchant({ webhook: null });
  const owner = await aMember(stack, merchant.id, "owner");
  const api = client(stack.baseUrl, merchant.keys.sk_live);
  const account = (n: number) => ({
    bank_code: "058",
    account_number: nuban({ bankCode: "058", serial: String(n).padStart(9, "0") }),
  });
  const answers = await times(300, (n) =>
    n % 2 === 0
      ? owner.call("POST", `/api/m/${merchant.id}/live/transfers/resolve`, account(n))
      : api.post("/transfers/resolve", account(n)),
  );
  expect([count(answers, 200), count(answers, 429)]).toEqual([60, 240]);
  const refused = answers.filter(({ status }) => status === 429);
  expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(["rate_limited"]));
  for (const { headers } of refused) if (headers) expect(Number(headers.get("retry-after"))).toBeGreaterThan(3_000);

  const { rows } = await stack
    .database("payments")
    .query("select actor, bank_code, last_four, answer from account_enquiries where merchant_id = $1", [merchant.id]);
  expect(rows).toHaveLength(60);
  const kinds = new Set(rows.map(({ actor }) => actor.kind));
  expect(kinds).toEqual(new Set(["member", "key"]));
  expect(rows.find(({ actor }) => actor.kind === "member")?.actor).toMatchObject({ email: owner.email });
});

test("330 new customers through sessions make 300 accounts; customers who have one go on paying, and POST /customer_accounts keeps its own 300", async () => {
  const merchant = await stack.createMerchant({ webhook: null, verified: false });
  const api = client(stack.baseUrl, merchant.keys.sk_test);
  const session = (n: number) =>
    api.post("/payments", { amount: 100, customer_reference: `cust_${n}`, customer_name: "Ada Obi" });
  const answers = await times(330, session);
  expect([count(answers, 201), count(answers, 429)]).toEqual([300, 30]);
  const refused = answers.find(({ status }) => status === 429);
  expect([refused?.body.code, Number(refused?.headers?.get("retry-after")) > 3_000]).toEqual(["rate_limited", true]);
  const known = answers.findIndex(({ status }) => status === 201);
  expect((await session(known)).status).toBe(201);

  const owner = await aMember(stack, merchant.id, "owner");
  const byHand = { customer_reference: "by-hand", customer_name: "Ada Obi" };
  expect(await owner.call("POST", `/api/m/${merchant.id}/test/customers`, byHand)).toMatchObject({
    status: 429,
    body: { code: "rate_limited" },
  });
  const specified = await times(301, (n) =>
    api.post("/customer_accounts", { customer_reference: `api_${n}`, customer_name: "Ada Obi" }),
  );
  expect([count(specified, 201), count(specified, 429)]).toEqual([300, 1]);
});

test("300 test events at somebody's server are one challenge there and nothing else, however often the URL is set", async () => {
  const stranger = await startReceiver();
  const merchant = await stack.createMerchant({ webhook: null });
  const developer = await aMember(stack, merchant.id, "developer");
  const call = (path: string, body: object = {}) => developer.call("POST", `/api/m/${merchant.id}/live/${path}`, body);
  const url = stranger.url;
  expect(await call("webhook", { url })).toMatchObject({ status: 200, body: { url: null, unconfirmed: { url } } });
  const sent = await times(300, () => call("webhook/test"));
  expect(count(sent, 409)).toBe(300);
  expect(stranger.received.map(({ body }) => body.event)).toEqual(["endpoint.challenge"]);

  const again = await times(20, (n) => (n % 2 === 0 ? call("webhook/challenge") : call("webhook", { url })));
  expect([count(again, 200), count(again, 429)]).toEqual([4, 16]);
  expect(stranger.received).toHaveLength(5);
  await stranger.stop();
});

test("300 test events at one's own server are sixty, each sent at most twice", async () => {
  const own = await startReceiver();
  own.behave((response, { body }) => {
    const { challenge } = Object(body.data);
    response.writeHead(challenge ? 200 : 500).end(challenge ?? "no");
  });
  const merchant = await stack.createMerchant({ webhook: null });
  const { url } = await stack.bus.request(setWebhookEndpoint, {
    merchant: { id: merchant.id, mode: "test" },
    url: own.url,
  });
  expect(url).toBe(own.url);
  const developer = await aMember(stack, merchant.id, "developer");
  const sent = await times(300, () => developer.call("POST", `/api/m/${merchant.id}/test/webhook/test`, {}));
  expect([count(sent, 200), count(sent, 429)]).toEqual([60, 240]);
  // A server that fails is held, and spared most of the second attempts, or even the first.
  await until("nothing more is due", async () => {
    const { rows } = await stack
      .database("webhooks")
      .query<{ count: number; due: boolean }>(
        "select count(*)::integer, bool_or(status = 'pending' and next_attempt_at is not null) as due from deliveries where merchant_id = $1",
        [merchant.id],
      );
    return rows[0]?.count === 60 && !rows[0].due;
  });
  const tests = own.received.filter(({ body }) => body.event === "webhook.test");
  expect(tests.length).toBeGreaterThan(0);
  for (const [, attempts] of Map.groupBy(tests, ({ headers }) => headers["webhook-id"]))
    expect(attempts.length).toBeLessThanOrEqual(2);
  await own.stop();
});

test("one sign-up makes ten businesses, not fifty", async () => {
  const person = await signUp(stack);
  const made = await times(50, (n) => person.call("POST", "/api/merchants", { name: `Shop ${n}` }));
  expect([count(made, 200), count(made, 429)]).toEqual([10, 40]);
  // An hour later, when the budget of calls is fresh.
  await stack.database("dashboard").query("delete from rate_limit_hits");
  const later = await times(10, (n) => person.call("POST", "/api/merchants", { name: `Later ${n}` }));
  expect(count(later, 429)).toBe(10);
});
