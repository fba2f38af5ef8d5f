import { setTimeout as sleep } from "node:timers/promises";
import { randomId, until } from "@collect/testing";
import { aBankTransfer, type BankTransfer, reportTransfer } from "../stack/bank.ts";
import { client } from "../stack/client.ts";
import type { Stack, TestMerchant } from "../stack.ts";

export type Customer = { merchant: TestMerchant; accountNumber: string };
/** A bank's traffic: its customers, and the acknowledged transfers by the bank's id. */
export type Traffic = {
  customers: Customer[];
  acknowledged: Map<string, BankTransfer>;
  /** The start of the traffic; earlier transfers are ignored. */
  since: string;
  /** Reports this many transfers over all customers, several concurrently, each until it is answered with 200. */
  flow(count: number): Promise<void>;
  /** Continues until the event is over, and a little longer. Rejects if the event does. */
  flowUntil(event: Promise<unknown>): Promise<void>;
  /** Reports every acknowledged transfer once more, until it is answered with 200. */
  repeatAll(): Promise<void>;
};

const CONCURRENCY = 8;
const TRAILING_TRANSFERS = 40;
/** While an event is waited for: enough for a batch at every moment, and not what keeps the machine from coming to the event. */
const MEANWHILE_PER_SECOND = 100;

/**
 * A bank that sends transfers to customers of several merchants, and repeats reports until they are answered with 200; at most
 * so many a second.
 */
export async function openTraffic(
  stack: Stack,
  { merchants = 3, perSecond }: { merchants?: number; perSecond?: number } = {},
): Promise<Traffic> {
  const since = new Date().toISOString();
  const customers: Customer[] = [];
  while (customers.length < merchants) customers.push(await aCustomer(stack));
  const acknowledged = new Map<string, BankTransfer>();

  async function report(number: number): Promise<void> {
    const { accountNumber = "" } = customers[number % customers.length] ?? {};
    // Different amounts distinguish the transfers.
    const transfer = aBankTransfer({
      id: randomId("trf"),
      account_number: accountNumber,
      amount: (10_000 + number) / 100,
    });
    await untilAccepted(transfer);
    acknowledged.set(transfer.id, transfer);
  }

  const untilAccepted = (transfer: BankTransfer) =>
    until(`transfer ${transfer.id} is answered with 200`, () =>
      reportTransfer(stack.bankDoor, transfer).then(
        ({ status }) => status === 200,
        () => false,
      ),
    );

  let sent = 0;
  const flowWhile = (wanted: () => boolean, rate: number) =>
    concurrently(async () => {
      while (wanted()) await Promise.all([report(sent++), sleep((CONCURRENCY * 1_000) / rate)]);
    });
  async function flow(count: number): Promise<void> {
    const end = sent + count;
    await flowWhile(() => sent < end, perSecond ?? Number.POSITIVE_INFINITY);
  }

  return {
    customers,
    acknowledged,
    since,
    flow,
    async flowUntil(event) {
      let isOver = false;
      const watched = event.finally(() => {
        isOver = true;
      });
      await Promise.all([watched, flowWhile(() => !isOver, perSecond ?? MEANWHILE_PER_SECOND)]);
      await flow(TRAILING_TRANSFERS);
    },
    async repeatAll() {
      const repeats = acknowledged.values();
      await concurrently(async () => {
        for (const transfer of repeats) await untilAccepted(transfer);
      });
    },
  };
}

async function concurrently(work: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}

export async function aCustomer(stack: Stack): Promise<Customer> {
  const merchant = await stack.createMerchant();
  const customer = {
    customer_reference: "cust_42",
    customer_name: "Ada Obi",
    metadata: { branch: "yaba", 7: "seven" },
  };
  const { body } = await client(stack.baseUrl, merchant.keys.sk_live).post("/customer_accounts", customer);
  return { merchant, accountNumber: String(body.account_number) };
}
