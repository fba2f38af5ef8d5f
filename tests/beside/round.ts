import { nuban } from "@collect/bank";
import {
  getCompletenessProof,
  getLedgerProof,
  listExceptions,
  listUnfinished,
  runSettlement,
  showPayouts,
} from "@collect/contracts";
import { until } from "@collect/testing";
import { aBankTransfer, reportTransfer } from "../stack/bank.ts";
import { type Answer, client } from "../stack/client.ts";
import { aMember } from "../stack/person.ts";
import type { Stack } from "../stack.ts";

/** What a merchant, its payers, its team and an operator do with every service. Throws if any of it is refused. */
export type Round = () => Promise<void>;

/** `pages` are the reads of the dashboard that need no fields. */
export async function openRound(stack: Stack, pages: readonly string[]): Promise<Round> {
  const merchant = await stack.createMerchant({ rateLimits: { accounts: 1_000_000, reads: 1_000_000 } });
  const owner = await aMember(stack, merchant.id, "owner");
  const [live, test] = [client(stack.baseUrl, merchant.keys.sk_live), client(stack.baseUrl, merchant.keys.sk_test)];
  /** Of the pages in the first round: not each has something to show. */
  const statuses = new Map<string, number>();
  let rounds = 0;

  async function takePayment(round: number): Promise<void> {
    const customer = { customer_reference: `cust_${round}`, customer_name: "Ada Obi" };
    const account = await accepted("an account", live.post("/customer_accounts", customer));
    const session = await accepted(
      "a session",
      live.post("/payments", { amount: 2_500 + round, reference: `order-${round}` }),
    );
    for (const [account_number, amount] of [
      [account.account_number, 5_000],
      [session.account_number, session.amount],
    ] as const)
      await accepted(
        "a transfer of the bank",
        reportTransfer(
          stack.bankDoor,
          aBankTransfer({ account_number: String(account_number), amount: Number(amount) }),
        ),
      );
    await until("the session is paid", async () => {
      const read = await accepted("the session", live.get(`/payments/${session.reference}`));
      return read.status === "paid";
    });
    await accepted("the checkout", page(String(session.checkout_url)));
  }

  async function payOut(round: number): Promise<void> {
    await stack.bus.request(runSettlement, { merchant: { id: merchant.id, mode: "live" } });
    const account_number = nuban({ bankCode: "058", serial: String(20_000_000 + round).padStart(9, "0") });
    const order = { amount: 100, bank_code: "058", account_number, reference: `payout-${round}` };
    const { reference } = await accepted("an order", live.post("/transfers", order));
    const repeated = await accepted("a repeated order", live.post("/transfers", order));
    if (repeated.reference !== reference) throw new Error(`${order.reference} was taken twice`);
    await accepted("the transfer", live.get(`/transfers/${reference}`));
  }

  async function simulate(round: number): Promise<void> {
    const customer = { customer_reference: `cust_${round}`, customer_name: "Ada Obi" };
    await accepted("a test account", test.post("/customer_accounts", customer));
    const payment = { outcome: "paid", amount: 1_000 };
    await accepted("a simulated payment", test.post(`/customer_accounts/cust_${round}/simulate_payment`, payment));
  }

  async function look(): Promise<void> {
    for (const path of [
      "/balance",
      "/events",
      "/payments",
      "/collections",
      "/customer_accounts",
      "/transfers",
      "/settlements",
      "/banks",
    ])
      await accepted(path, live.get(path));
    for (const path of [...pages, "search?text=Ada"]) {
      const { status, body } = await owner.call("GET", `/api/m/${merchant.id}/live/${path}`);
      const first = statuses.get(path) ?? status;
      if (status !== first || status >= 500)
        throw new Error(`${path} of the dashboard was answered with ${status}: ${JSON.stringify(body)}`);
      statuses.set(path, first);
    }
    await Promise.all([
      ...[getCompletenessProof, getLedgerProof, listUnfinished, listExceptions, showPayouts].map((read) =>
        stack.bus.request(read, {}),
      ),
    ]);
  }

  return async () => {
    const round = ++rounds;
    await takePayment(round);
    await Promise.all([payOut(round), simulate(round), look()]);
  };
}

async function accepted(what: string, answering: Promise<Answer>): Promise<Record<string, unknown>> {
  const { status, body } = await answering;
  if (status >= 300) throw new Error(`${what} was answered with ${status}: ${JSON.stringify(body)}`);
  return body;
}

async function page(url: string): Promise<Answer> {
  const response = await fetch(url, { signal: AbortSignal.timeout(30_000) });
  return { status: response.status, headers: response.headers, text: await response.text(), body: {} };
}
