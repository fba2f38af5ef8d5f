import type { CustomerAccount } from "@collect/contracts";
import { type Stack, type StackOptions, startStack, type TestMerchant } from "../stack.ts";
import { POSTGRES_SETTINGS } from "./servers.ts";

const MERCHANTS = 100;
const CUSTOMERS_EACH = 10;
export const ACCOUNTS = MERCHANTS * CUSTOMERS_EACH;
const LIMITS = { accounts: 1_000_000, reads: 1_000_000 };

/** The product as `npm start` runs it, with PostgreSQL's default settings. */
export function startProduct(options: Pick<StackOptions, "env" | "postgres" | "openPostgres"> = {}): Promise<Stack> {
  return startStack({ ...options, postgres: { ...POSTGRES_SETTINGS, ...options.postgres } });
}

/** A merchant whose rate limits are too high to be reached. */
export function aBusyMerchant(stack: Stack, webhook: string | null = null): Promise<TestMerchant> {
  return stack.createMerchant({ webhook, rateLimits: LIMITS });
}

/** Creates merchants with live customers whose webhooks all go to one URL. Returns the account numbers, rotating over the merchants. */
export async function openLiveAccounts(stack: Stack, webhook: string, count = MERCHANTS): Promise<string[]> {
  const merchants: TestMerchant[] = [];
  while (merchants.length < count) merchants.push(await aBusyMerchant(stack, webhook));
  const numbers: string[] = [];
  for (let customer = 0; customer < CUSTOMERS_EACH; customer++) {
    const accounts = await Promise.all(merchants.map((merchant) => openAccount(stack, merchant, `cust_${customer}`)));
    numbers.push(...accounts.map(({ account_number }) => account_number));
  }
  return numbers;
}

export async function openAccount(stack: Stack, merchant: TestMerchant, reference: string): Promise<CustomerAccount> {
  const response = await fetch(`${stack.baseUrl}/customer_accounts`, {
    method: "POST",
    headers: { authorization: `Bearer ${merchant.keys.sk_live}`, "content-type": "application/json" },
    body: JSON.stringify({ customer_reference: reference, customer_name: `Customer ${reference}` }),
  });
  if (response.status !== 201) throw new Error(`an account was not opened: ${await response.text()}`);
  return (await response.json()) as CustomerAccount;
}
