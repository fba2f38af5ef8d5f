import { naira, parseNaira, shareOf } from "@collect/money";
import { until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { aBankTransfer, reportTransfer } from "../stack/bank.ts";
import { client } from "../stack/client.ts";
import { startStack } from "../stack.ts";

// The pause between two sessions with one amount is only two seconds here.
const stack = await startStack({ env: { payments: { PAID_AT_TOLERANCE_S: "1", SLOT_PAUSE_S: "2" } } });
afterAll(() => stack.stop());

type Session = { reference: string; account_number: string; amount: number; status: string; created_at: string };

async function aShop() {
  const merchant = await stack.createMerchant({ rateLimits: { reads: 1_000_000, accounts: 1_000_000 } });
  const api = client(stack.baseUrl, merchant.keys.sk_live);
  const open = async (order: object) => (await api.post("/payments", order)).body as unknown as Session;
  const get = async ({ reference }: Session) => (await api.get(`/payments/${reference}`)).body as unknown as Session;
  const pay = ({ account_number, amount }: Session, paid_at: string) =>
    reportTransfer(stack.bankDoor, aBankTransfer({ account_number, amount, paid_at }));
  return { merchant, api, open, get, pay };
}

function netOf({ amount }: Session): number {
  const kobo = parseNaira(amount) ?? 0n;
  return naira(kobo - shareOf(kobo, 100));
}

const before = (instant: string, ms: number) => new Date(Date.parse(instant) - ms).toISOString();

test.each([
  ["a collection account", {}],
  ["a customer's own account", { customer_reference: "cust_42", customer_name: "Ada Obi" }],
])(
  "a transfer paid three hours before the session was created is credited and unmatched: %s",
  async (_where, customer) => {
    const { merchant, api, open, get, pay } = await aShop();
    const session = await open({ amount: 1000, reference: "order-1", ...customer });
    expect(await pay(session, before(session.created_at, 3 * 3_600_000))).toMatchObject({
      body: { status: "accepted" },
    });
    const [delivery] = await merchant.untilReceived("live", 1);
    expect(delivery?.body).toMatchObject({
      event: "collection.success",
      data: {
        reference: expect.stringMatching(/^col_/),
        amount: session.amount,
        payment_reference: null,
        merchant_reference: null,
      },
    });
    expect(await get(session)).toEqual(session);
    expect((await api.get("/balance")).body).toMatchObject({ collected: netOf(session) });
    // A later transfer pays it.
    await pay(session, new Date().toISOString());
    await until("it is paid", async () => (await get(session)).status === "paid");
  },
);

test("a transfer with a future paid_at counts as paid when it was received", async () => {
  const { merchant, open, get, pay } = await aShop();
  const session = await open({ amount: 1000 });
  await pay(session, "2999-01-01T00:00:00Z");
  const [delivery] = await merchant.untilReceived("live", 1);
  expect(delivery?.body.data).toMatchObject({ payment_reference: session.reference });
  expect((await get(session)).status).toBe("paid");
});

test("a report delayed past the reuse of a slot never matches the later payer", async () => {
  const { merchant, open, get, pay } = await aShop();
  const payments = stack.database("payments");
  const old = await open({ amount: 1000 });
  await payments.query(
    `update sessions set expires_at = clock_timestamp() + interval '1 second', watch_until = clock_timestamp() + interval '1 second'
     where reference = $1`,
    [old.reference],
  );
  const watchUntil = await until("its watch window is over", async () => {
    const { rows } = await payments.query(
      "select watch_until from sessions where reference = $1 and watch_until < clock_timestamp() and not slot_held",
      [old.reference],
    );
    return rows[0]?.watch_until;
  });

  const isPair = (one: Session) => one.account_number === old.account_number && one.amount === old.amount;
  const later: Session[] = [];
  while (!later.some(isPair)) later.push(await open({ amount: later.length % 2 ? 1000 : 999.99 }));
  const next = later.find(isPair) as Session;
  expect(Date.parse(next.created_at) - Date.parse(watchUntil)).toBeGreaterThanOrEqual(2_000);
  // The first payer paid in the last moment of the old watch window; the bank reports it only now.
  await pay(old, before(watchUntil, 1));
  const [delivery] = await merchant.untilReceived("live", 1);
  expect(delivery?.body.data).toMatchObject({ amount: old.amount, payment_reference: null });
  expect(await get(next)).toEqual(next);
  await pay(next, new Date().toISOString());
  await until("the later payer's money pays it", async () => (await get(next)).status === "paid");
});
