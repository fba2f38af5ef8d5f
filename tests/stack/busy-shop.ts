import { randomUUID } from "node:crypto";
import { nuban, TEST_BANK } from "@collect/bank";
import { createPaymentLink, createTransfer, runSettlement } from "@collect/contracts";
import type { Stack } from "../stack.ts";
import { client } from "./client.ts";

/** A business with a record of every kind, and names that are long, from right to left, and with an emoji. */
export async function aBusyShop(stack: Stack): Promise<{ id: string; records: string[] }> {
  const merchant = await stack.createMerchant({ name: "Ada Stores" });
  const scope = { id: merchant.id, name: merchant.name, mode: "test" as const };
  const api = client(stack.baseUrl, merchant.keys.sk_test);
  const name = `يوسف 🌸 ${"Oluwaseun Adebayo-Ogunleye ".repeat(3)}`.slice(0, 95);
  await api.post("/customer_accounts", { customer_reference: "cust_1", customer_name: name });
  const paid = await api.post("/customer_accounts/cust_1/simulate_payment", {
    outcome: "paid",
    amount: 999_999_999.99,
  });
  const session = (await api.post("/payments", { amount: 2_500, reference: "order-1", description: name })).body;
  await api.post("/sandbox/pay", { outcome: "paid", payment_reference: session.reference });
  const { settlement } = await stack.bus.request(runSettlement, { merchant: scope });
  const { transfer } = await stack.bus.request(createTransfer, {
    merchant: scope,
    amount: 1_000,
    bank_code: TEST_BANK.code,
    account_number: nuban({ bankCode: TEST_BANK.code, serial: "000000001" }),
    reference: "rent",
  });
  const link = await stack.bus.request(createPaymentLink, { merchant: scope, key: randomUUID(), title: name });
  const [received] = await merchant.untilReceived("test", 2);
  return {
    id: merchant.id,
    records: [
      `collections/${paid.body.reference}`,
      "customers/cust_1",
      `sessions/${session.reference}`,
      `settlements/${settlement?.reference}`,
      `transfers/${transfer.reference}`,
      `links/${link.slug}`,
      `developers/deliveries/${received?.headers["x-service-delivery"]}`,
      "developers/events/1",
    ],
  };
}
