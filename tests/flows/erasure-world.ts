import { eraseCustomer, erasePayer, listErasures, retireCustomerAccount } from "@collect/contracts";
import { until } from "@collect/testing";
import { aBankTransfer, reportTransfer } from "../stack/bank.ts";
import { client } from "../stack/client.ts";
import { placesOf } from "../stack/places.ts";
import type { Stack } from "../stack.ts";

const REASON = "request 17 of the data protection officer";

/** What identifies the person of a test: no other test has the same. */
export type Identity = { name: string; senderAccount: string };

/** A live merchant whose customer paid into their account and a payment, and who paid another one without being a customer. */
export async function aShop(stack: Stack, { name, senderAccount }: Identity) {
  const since = new Date().toISOString();
  const merchant = await stack.createMerchant();
  const scope = { id: merchant.id, mode: "live" as const };
  const api = client(stack.baseUrl, merchant.keys.sk_live);
  const payer = { name: `NGOZI ${name.toUpperCase()}`, account_number: senderAccount, bank_name: "First Bank" };
  const reports: object[] = [];
  const pay = (account_number: unknown, amount: unknown) => {
    const transfer = aBankTransfer({ account_number: String(account_number), amount: Number(amount) });
    const report = { ...transfer, payer, narration: `from ${name}` };
    reports.push(report);
    return reportTransfer(stack.bankDoor, report);
  };
  const metadata = { name: `Ngozi ${name}` };
  const customer = { customer_reference: "cust_17", customer_name: `Ngozi ${name}`, metadata };
  const { body: account } = await api.post("/customer_accounts", customer);
  await pay(account.account_number, 100.25);
  await merchant.untilReceived("live", 1);
  const { body: owed } = await api.post("/payments", { amount: 200, reference: "o-1", ...customer });
  await pay(owed.account_number, owed.amount);
  await merchant.untilReceived("live", 2);

  const order = {
    amount: 300,
    reference: "o-2",
    description: `Shoes for ${name}`,
    redirect_url: `https://a.example/${name}`,
    metadata,
  };
  const { body: anonymous } = await api.post("/payments", order);
  const details = { name: `Ngozi ${name}`, email: `ngozi@${name.toLowerCase()}.example` };
  await client(stack.checkoutUrl).post(`/checkout/${anonymous.reference}/details`, details);
  await pay(anonymous.account_number, anonymous.amount);
  await merchant.untilReceived("live", 3);
  await untilIdle(stack, merchant.id);

  const person = { merchant: scope, customer_reference: "cust_17" };
  return {
    ...{ since, merchant, scope, api, pay, account, anonymous: String(anonymous.reference) },
    /** The bank repeats all of its reports, with the names. */
    repeatReports: () => Promise.all(reports.map((report) => reportTransfer(stack.bankDoor, report))),
    retire: () => stack.bus.request(retireCustomerAccount, person),
    eraseCustomer: () => stack.bus.request(eraseCustomer, { ...person, reason: REASON }),
    erasePayer: (reference: string) => stack.bus.request(erasePayer, { merchant: scope, reference, reason: REASON }),
    places: async () => ({ name: await placesOf(stack, name), account: await placesOf(stack, senderAccount) }),
    books: () => booksOf(stack, merchant.id),
  };
}

/** Deliveries are over, transfers completed, and accounts copied. */
export const untilIdle = (stack: Stack, merchantId: string) =>
  until("everything is over", async () => {
    const open = async (service: "webhooks" | "accounts", what: string) =>
      (await stack.database(service).query(`select 1 from ${what} and merchant_id = $1`, [merchantId])).rows.length;
    const counts = [
      await open("webhooks", "deliveries where status = 'pending'"),
      await open("accounts", "inbound_transfers where completed_at is null"),
      await open("accounts", "customer_accounts where copied_at is null"),
    ];
    return counts.every((count) => count === 0);
  });

export const untilErased = (stack: Stack, id: string) =>
  until(
    `${id} is finished`,
    async () => {
      const { erasures } = await stack.bus.request(listErasures, {});
      return erasures.find((erasure) => erasure.id === id)?.finished_at;
    },
    60_000,
  );

/** Everything that says what was paid, as the databases contain it. */
async function booksOf(stack: Stack, merchantId: string) {
  const read = async (service: "ledger" | "payments" | "webhooks" | "accounts", text: string) =>
    (await stack.database(service).query(text, [merchantId])).rows;
  return {
    accounts: await read(
      "ledger",
      "select id, balance, version from ledger_accounts where merchant_id = $1 order by id",
    ),
    entries: await read(
      "ledger",
      `select e.* from entries e join ledger_accounts a on a.id = e.account_id where a.merchant_id = $1
       order by account_id, account_version`,
    ),
    transactions: await read("ledger", "select * from transactions where merchant_id = $1 order by id"),
    collections: await read(
      "payments",
      `select intake_id, reference, amount, fee, net, account_number, customer_reference, payment_reference, merchant_reference
       from collections where merchant_id = $1 order by intake_id`,
    ),
    sessions: await read(
      "payments",
      `select reference, status, amount, amount_received, account_number, merchant_reference, paid_at from sessions
       where merchant_id = $1 order by reference`,
    ),
    transfers: await read(
      "accounts",
      `select intake_id, bank_transfer_id, amount, account_number, customer_reference, reference, sequence, delivery_number
       from inbound_transfers where merchant_id = $1 order by intake_id`,
    ),
    events: await read(
      "webhooks",
      "select sequence, key, reference, amount_kobo, delivery_number, created_at from events where merchant_id = $1 order by sequence",
    ),
  };
}
