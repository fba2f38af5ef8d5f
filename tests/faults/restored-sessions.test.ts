import { instantOf } from "@collect/contracts";
import { randomId, until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { aBankTransfer, type BankTransfer, reportTransfer } from "../stack/bank.ts";
import { client } from "../stack/client.ts";
import { startStack, type TestMerchant } from "../stack.ts";
import { proveNumbers } from "./numbers.ts";
import { backUp, proveAudit, untilCaughtUp } from "./restore.ts";

const stack = await startStack();
afterAll(() => stack.stop());

async function report(money: object): Promise<void> {
  expect((await reportTransfer(stack.bankDoor, money)).status).toBe(200);
}

type Session = { reference: string; account_number: string; amount: number };
const moneyFor = ({ account_number }: Session, amount: number): BankTransfer =>
  aBankTransfer({ account_number, amount });

const eventsOf = (merchant: TestMerchant) =>
  merchant
    .received("live")
    .map(({ raw }) => JSON.parse(String(raw)) as { event: string; data: Record<string, unknown> });

const booked = async () =>
  (await stack.database("ledger").query("select count(*)::integer as count from transactions")).rows[0].count as number;

test("money that comes while payments is restored is for its session after the money that was lost with it", async () => {
  const merchant = await stack.createMerchant({ rateLimits: { reads: 1_000_000 } });
  const api = client(stack.baseUrl, merchant.keys.sk_live);
  const open = (n: number) =>
    until("the session is created", async () => {
      const order = { amount: 100, customer_reference: `cust_${n}`, customer_name: "Ngozi Eze" };
      const { body } = await api.post("/payments", { ...order, reference: `order-${n}` });
      return body.account_number ? (body as unknown as Session) : undefined;
    });
  await open(0);
  const restore = await backUp(stack, "payments");
  const [parted, paid] = [await open(1), await open(2)];
  await report(moneyFor(parted, 60));
  await report(moneyFor(paid, paid.amount));
  await merchant.untilReceived("live", 2);

  await restore();
  const [before, rest] = [await booked(), (parted.amount * 100 - 6_000) / 100];
  const twice = moneyFor(paid, paid.amount);
  await report(moneyFor(parted, rest));
  await report(twice);
  await until("the ledger has booked it", async () => (await booked()) >= before + 2);
  // The bank takes back what payments has not seen yet.
  const reversal = { id: randomId("back"), type: "reversal", reverses: twice.id, currency: "NGN", amount: paid.amount };
  await report({ ...reversal, account_number: twice.account_number, paid_at: instantOf(new Date()) });
  await stack.service("payments").restart();
  await untilCaughtUp(stack, "payments");

  await stack.database("accounts").query("update inbound_reversals set drive_at = now() where completed_at is null");
  await merchant.untilReceived("live", 5);
  const credits = eventsOf(merchant).filter(({ event }) => event === "collection.success");
  const sums = (reference: string) =>
    credits.filter(({ data }) => data.payment_reference === reference).map(({ data }) => data.amount);
  expect([sums(parted.reference), sums(paid.reference)]).toEqual([
    [60, rest],
    [paid.amount, paid.amount],
  ]);
  expect(new Set(credits.map(({ data }) => data.reference)).size).toBe(4);
  const shown = await Promise.all([parted, paid].map(({ reference }) => api.get(`/payments/${reference}`)));
  expect(shown.map(({ body }) => [body.status, body.amount_received])).toEqual([
    ["paid", parted.amount],
    ["paid", (paid.amount * 200) / 100],
  ]);
  proveNumbers(merchant);
  await proveAudit(stack);
}, 120_000);
