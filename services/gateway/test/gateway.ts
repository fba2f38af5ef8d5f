import { fileURLToPath } from "node:url";
import { answer, type Request, serveRequests } from "@collect/bus";
import {
  type CustomerAccount,
  createMerchant,
  getBalance,
  getCustomerAccount,
  issueCustomerAccount,
  listCustomerAccounts,
  Problem,
  simulatePayment,
  verifyMerchant,
} from "@collect/contracts";
import { freePort } from "@collect/servers";
import { openWorld, startParts, type World } from "@collect/testing";
import { createApp } from "../src/app.ts";
import { Config } from "../src/config.ts";

export const DIRECTORY = fileURLToPath(new URL("../prisma", import.meta.url));
export const openGatewayWorld = () => openWorld({ service: "gateway", directory: DIRECTORY });

export type Gateway = { url: string; port: number; stop(): Promise<void> };

/** One replica of the gateway, in this process, on a port of its own. */
export async function startGateway(world: World, environment: Record<string, string> = {}): Promise<Gateway> {
  const port = await freePort();
  const config = Config.parse({
    DATABASE_URL: world.database.service,
    NATS_URL: world.natsUrl,
    PORT: String(port),
    ...environment,
  });
  const stop = await startParts(createApp({ config, pool: world.pool, bus: world.bus, log: world.log }));
  return { url: `http://127.0.0.1:${port}/v1`, port, stop };
}

/** A merchant as the operator makes it, with all four keys. */
export async function aShop(world: World, limits: { accounts?: number; reads?: number } = {}) {
  const created = await world.others.request(createMerchant, { name: "Ada Stores", rate_limits: limits });
  const verified = await world.others.request(verifyMerchant, { merchant_id: created.merchant_id });
  return { id: created.merchant_id, ...created.keys, ...verified.keys };
}

export type Answer = { status: number; headers: Headers; text: string; body: Record<string, unknown> };

/** A call as a merchant's server makes it. A string as body is sent as it is. */
export async function call(
  gateway: Gateway,
  method: string,
  path: string,
  { key, body, type = "application/json" }: { key?: string; body?: unknown; type?: string } = {},
): Promise<Answer> {
  const response = await fetch(`${gateway.url}${path}`, {
    method,
    headers: { ...(key && { authorization: `Bearer ${key}` }), ...(body !== undefined && { "content-type": type }) },
    body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: text ? JSON.parse(text) : {} };
}

/** What is the same in every answer of a kind: all but the request's own id. */
export function withoutRequestId({ status, text, body }: Answer): { status: number; text: string } {
  return { status, text: text.replace(String(body.request_id), "") };
}

/** accounts and ledger as the gateway sees them: they remember what they were asked. */
export async function playOthers(world: World) {
  const asked: Record<string, unknown>[] = [];
  const accounts = new Map<string, CustomerAccount>();
  const find = (merchant: { id: string; mode: string }, reference: string) => {
    const account = accounts.get(`${merchant.id} ${merchant.mode} ${reference}`);
    if (!account) throw new Problem("not_found", `accounts has no ${reference}`);
    return account;
  };
  const requests: Request[] = [
    answer(issueCustomerAccount, async (input) => {
      asked.push(input);
      const key = `${input.merchant.id} ${input.merchant.mode} ${input.customer_reference}`;
      const known = accounts.get(key);
      const account = known ?? anAccount(input.merchant.mode, input.customer_reference, input.customer_name ?? "Ada");
      accounts.set(key, account);
      return { account, created: !known };
    }),
    answer(getCustomerAccount, async (input) => {
      asked.push(input);
      return find(input.merchant, input.customer_reference);
    }),
    answer(listCustomerAccounts, async ({ merchant, limit, offset, status }) => {
      asked.push({ merchant, limit, offset, status });
      return { data: [], limit, offset, has_more: false, mode: merchant.mode };
    }),
    answer(simulatePayment, async (input) => {
      asked.push(input);
      const { account_number } = find(input.merchant, input.customer_reference);
      const amount = input.amount ?? 0n;
      return {
        outcome: input.outcome,
        credited: true,
        reference: "col_1",
        amount,
        account_number,
        message: "A webhook was queued.",
        mode: input.merchant.mode,
      };
    }),
  ];
  const balances = answer(getBalance, async ({ merchant: { mode } }) => ({
    mode,
    currency: "NGN" as const,
    collected: 250_073n,
    settled: -5n,
    as_of: "2026-11-21T09:30:00.123+00:00",
    ledger_sequence: 7,
  }));
  const parts = [
    serveRequests(world.others, { service: "accounts", log: world.log, requests }),
    serveRequests(world.others, { service: "ledger", log: world.log, requests: [balances] }),
  ];
  const stop = await startParts(parts);
  return { asked, stop };
}

function anAccount(mode: "test" | "live", customer_reference: string, customer_name: string): CustomerAccount {
  return {
    customer_reference,
    customer_name,
    account_number: "9990000017",
    account_name: `Ada Stores / ${customer_name}`,
    bank_name: "Test Bank",
    status: "active",
    mode,
    created_at: "2026-11-21T09:30:00.123+00:00",
  };
}
