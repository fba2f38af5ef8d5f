import { nuban } from "@collect/bank";
import { runSettlement } from "@collect/contracts";
import { until } from "@collect/testing";
import { expect } from "vitest";
import { aBankTransfer, reportTransfer } from "../stack/bank.ts";
import { client } from "../stack/client.ts";
import { deliverNow } from "../stack/deliveries.ts";
import type { Stack, TestMerchant } from "../stack.ts";

/** The initial settled balance, and the amount of each transfer, in naira. */
export const SETTLED = 99_000;
export const AMOUNT = 100;

export const beneficiary = (n: number) => nuban({ bankCode: "058", serial: String(10_000_000 + n).padStart(9, "0") });

/** The n-th order of a shop; a repeat is the same. */
export const payoutOrder = (n: number) => ({
  ...{ amount: AMOUNT, bank_code: "058", account_number: beneficiary(n), reference: `payout-${n}` },
  metadata: { n: String(n) },
});

/** A live merchant with a settled balance, which it sends to bank accounts. */
export type Shop = {
  merchant: TestMerchant;
  api: ReturnType<typeof client>;
  /** Repeats the order under the same reference until it gets a response. Returns our reference. */
  send(n: number): Promise<string>;
};

type Payout = { id: string; status: string; times_sent: number };

export async function openShop(stack: Stack): Promise<Shop> {
  const merchant = await stack.createMerchant({ rateLimits: { reads: 1_000_000 } });
  const api = client(stack.baseUrl, merchant.keys.sk_live);
  const { body: customer } = await api.post("/customer_accounts", { customer_reference: "c", customer_name: "Ada" });
  const account_number = String(customer.account_number);
  await reportTransfer(stack.bankDoor, aBankTransfer({ account_number, amount: SETTLED / 0.99 }));
  await merchant.untilReceived("live", 1);
  await stack.bus.request(runSettlement, { merchant: { id: merchant.id, mode: "live" } });
  expect((await api.get("/balance")).body).toMatchObject({ settled: SETTLED });
  const send = (n: number) =>
    until(
      `transfer ${n} is accepted`,
      async () => {
        const answer = await api.post("/transfers", payoutOrder(n)).catch(() => undefined);
        return answer !== undefined && answer.status < 300 && String(answer.body.reference);
      },
      60_000,
    );
  return { merchant, api, send };
}

export async function payoutsAt(stack: Stack): Promise<Payout[]> {
  return (await client(`${stack.bankSimulatorUrl}/control`).get("/payouts")).body.payouts as Payout[];
}

/** Makes scheduled steps due now. */
export const makeStepsDue = (stack: Stack) =>
  stack.database("payments").query(`
    update transfers set next_at = now() where reference = any(array(
      select reference from transfers where next_at > now() and step <> 'told' for update skip locked))`);

/**
 * After a restore of payments a transfer is not sent that may have been before. Lets the time pass after which it has failed if the
 * bank does not know it: the process that may have sent it is dead.
 */
export const passTimeOfUnknown = (stack: Stack) =>
  stack.database("payments").query(`
    update transfers set sent_at = sent_at - interval '1 hour', unknown_since = sent_at - interval '1 hour'
    where step = 'sending' and sent_at < (select max(finished_at) from recoveries)`);

/**
 * Each was sent to the bank once, has the bank's status and one event, and is in the balance to the kobo; what the bank never
 * received has failed. `maySendAgain`: after every service has lost it, an order may be sent once more under its id, which the bank
 * knows.
 */
export async function proveCompleted(
  stack: Stack,
  { merchant, api }: Shop,
  references: string[],
  { maySendAgain = false } = {},
): Promise<void> {
  const ended = new Map<string, Record<string, unknown>>();
  await until(
    "every transfer has ended",
    async () => {
      await makeStepsDue(stack);
      const waiting = references.filter((reference) => !ended.has(reference));
      for (const { body } of await Promise.all(waiting.map((reference) => api.get(`/transfers/${reference}`))))
        if (body.status === "success" || body.status === "failed") ended.set(String(body.reference), body);
      return ended.size === references.length;
    },
    60_000,
  );
  const completed = [...ended.values()];
  const atBank = new Map((await payoutsAt(stack)).map((payout) => [payout.id, payout]));
  for (const { reference, status, failure_code } of completed) {
    const payout = atBank.get(String(reference));
    if (payout) expect([reference, payout.status]).toEqual([reference, status]);
    else expect([reference, status, failure_code]).toEqual([reference, "failed", "not_received"]);
    if (payout) expect(maySendAgain ? [1, 2] : [1], String(reference)).toContain(payout.times_sent);
  }
  const paid = completed.filter(({ status }) => status === "success").length;
  // After a broker restart a service may still be reconnecting, and the call is answered with 503.
  const balance = await until("the balance is answered", async () => {
    const { status, body } = await api.get("/balance");
    return status === 200 && body;
  });
  expect(balance).toMatchObject({ settled: SETTLED - paid * AMOUNT });
  const { rows } = await stack
    .database("ledger")
    .query("select balance from ledger_accounts where kind = 'payouts' and merchant_id = $1", [merchant.id]);
  expect(rows).toEqual([{ balance: 0n }]);
  await until(
    "each has its event",
    async () => {
      await makeStepsDue(stack);
      // Deliveries of a killed process wait for their lease.
      await deliverNow(stack);
      return eventsOf(merchant).size === references.length;
    },
    60_000,
  );
  expect(eventsOf(merchant)).toEqual(
    new Map(completed.map(({ reference, status }) => [reference, `transfer.${status}`])),
  );
}

/** The event of each transfer, however often it was delivered. */
function eventsOf(merchant: TestMerchant): Map<unknown, unknown> {
  const events = merchant.received("live").filter(({ body }) => String(body.event).startsWith("transfer."));
  return new Map(events.map(({ body }) => [(body.data as { reference: string }).reference, body.event]));
}
