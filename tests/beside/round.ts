import { randomUUID } from "node:crypto";
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
import { type Answer, type Client, client } from "../stack/client.ts";
import { aMember, type Person } from "../stack/person.ts";
import type { Stack, TestMerchant } from "../stack.ts";
import { type BankDays, openBankDays } from "./bank-days.ts";

/** What a merchant, its payers, its team and an operator do with every service. Throws if any of it is refused. */
export type Round = { play(): Promise<void>; days: BankDays };

type Actors = {
  stack: Stack;
  merchant: TestMerchant;
  live: Client;
  test: Client;
  owner: Person;
  /** The status of each page in the first round: not each has something to show. */
  pages: Map<string, number | undefined>;
  days: BankDays;
};

/** `pages` are the reads of the dashboard that need no fields. */
export async function openRound(stack: Stack, pages: readonly string[]): Promise<Round> {
  const merchant = await stack.createMerchant({ rateLimits: { accounts: 1_000_000, reads: 1_000_000 } });
  const actors: Actors = {
    ...{ stack, merchant },
    live: client(stack.baseUrl, merchant.keys.sk_live),
    test: client(stack.baseUrl, merchant.keys.sk_test),
    owner: await aMember(stack, merchant.id, "owner"),
    pages: new Map([...pages, "search?text=Ada"].map((path) => [path, undefined])),
    days: await openBankDays(stack),
  };
  let rounds = 0;
  const play = async () => {
    const round = ++rounds;
    await takePayment(actors, round);
    const acts = [payOut(actors, round), simulate(actors, round), look(actors), actAsTeam(actors, round)];
    await Promise.all([...acts, actors.days.closeNext()]);
  };
  return { play, days: actors.days };
}

async function takePayment({ stack, live }: Actors, round: number): Promise<void> {
  const account = await accepted("an account", live.post("/customer_accounts", customer(round)));
  const order = { amount: 2_500 + round, reference: `order-${round}` };
  const session = await accepted("a session", live.post("/payments", order));
  for (const { account_number, amount } of [{ ...account, amount: 5_000 }, session]) {
    const transfer = aBankTransfer({ account_number: String(account_number), amount: Number(amount) });
    await accepted("a transfer of the bank", reportTransfer(stack.bankDoor, transfer));
  }
  await until("the session is paid", async () => {
    const read = await accepted("the session", live.get(`/payments/${session.reference}`));
    return read.status === "paid";
  });
  const checkout = await fetch(String(session.checkout_url), { signal: AbortSignal.timeout(30_000) });
  if (!checkout.ok) throw new Error(`the checkout was answered with ${checkout.status}`);
}

async function payOut({ stack, merchant, live }: Actors, round: number): Promise<void> {
  await stack.bus.request(runSettlement, { merchant: { id: merchant.id, mode: "live" } });
  const account_number = nuban({ bankCode: "058", serial: String(20_000_000 + round).padStart(9, "0") });
  const order = { amount: 100, bank_code: "058", account_number, reference: `payout-${round}` };
  const { reference } = await accepted("an order", live.post("/transfers", order));
  const repeated = await accepted("a repeated order", live.post("/transfers", order));
  if (repeated.reference !== reference) throw new Error(`${order.reference} was taken twice`);
  await accepted("the transfer", live.get(`/transfers/${reference}`));
}

async function simulate({ test }: Actors, round: number): Promise<void> {
  await accepted("a test account", test.post("/customer_accounts", customer(round)));
  const payment = { outcome: "paid", amount: 1_000 };
  await accepted("a simulated payment", test.post(`/customer_accounts/cust_${round}/simulate_payment`, payment));
}

const LISTS = [
  "payments",
  "collections",
  "customer_accounts",
  "transfers",
  "settlements",
  "events",
  "banks",
  "balance",
];
const PROOFS = [getCompletenessProof, getLedgerProof, listUnfinished, listExceptions, showPayouts];

async function look({ stack, merchant, live, owner, pages }: Actors): Promise<void> {
  for (const path of LISTS) await accepted(path, live.get(`/${path}`));
  for (const [path, first] of pages) {
    const { status, body } = await owner.call("GET", `/api/m/${merchant.id}/live/${path}`);
    if (status >= 500 || status !== (first ?? status))
      throw new Error(`${path} of the dashboard was answered with ${status}: ${JSON.stringify(body)}`);
    pages.set(path, status);
  }
  await Promise.all(PROOFS.map((proof) => stack.bus.request(proof, {})));
}

async function actAsTeam({ merchant, owner }: Actors, round: number): Promise<void> {
  // At most 60 test events an hour can be sent in each mode.
  const mode = round % 2 === 0 ? "live" : "test";
  const acts = {
    links: { key: randomUUID(), title: `Order ${round}`, amount: 1_000 },
    customers: { customer_reference: `team_${round}`, customer_name: "Ada Obi" },
    "webhook/test": {},
  };
  for (const [path, body] of Object.entries(acts)) {
    const answer = await owner.call("POST", `/api/m/${merchant.id}/${mode}/${path}`, body);
    if (answer.status >= 300)
      throw new Error(`${path} was answered with ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
}

const customer = (round: number) => ({ customer_reference: `cust_${round}`, customer_name: "Ada Obi" });

async function accepted(what: string, answering: Promise<Answer>): Promise<Record<string, unknown>> {
  const { status, body } = await answering;
  if (status >= 300) throw new Error(`${what} was answered with ${status}: ${JSON.stringify(body)}`);
  return body;
}
