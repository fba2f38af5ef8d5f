import { nuban } from "@collect/bank";
import { expect } from "vitest";
import { client } from "../stack/client.ts";
import { inOrder } from "../stack/merchant.ts";
import type { Stack } from "../stack.ts";

/** Merchants' servers with their test clocks, and a switch with which a server refuses webhooks. */
export function shops(stack: Stack) {
  const broken = new Set<string>();
  stack.receiver.behave((response, { path }) => {
    response.statusCode = broken.has(path.split("/")[2] ?? "") ? 503 : 200;
    response.end();
  });
  return async () => {
    const merchant = await stack.createMerchant();
    const api = client(stack.baseUrl, merchant.keys.sk_test);
    const body = async (path: string) => (await api.get(path)).body as Record<string, string>;
    const make = async (path: string, order: object) => (await api.post(path, order)).body as Record<string, string>;
    const clock = (order: object) => api.post("/sandbox/clock", order);
    /** Advances the clock, with one call. */
    const advance = async (order: object) => {
      const { status, body } = await clock(order);
      expect([status, body]).toMatchObject([200, { has_more: false, mode: "test" }]);
      return String(body.now);
    };
    const down = (isDown: boolean) => void (isDown ? broken.add(merchant.id) : broken.delete(merchant.id));
    return { merchant, body, make, clock, advance, down };
  };
}
type Shop = Awaited<ReturnType<ReturnType<typeof shops>>>;

export const later = (instant: string | undefined, seconds: number) =>
  new Date(Date.parse(String(instant)) + seconds * 1_000).toISOString().replace("Z", "+00:00");

export const HOUR_S = 3_600;
export const DAY_S = 24 * HOUR_S;
const CUSTOMER = { customer_reference: "cust_42", customer_name: "Ada Obi" };

/** An account of the test bank, whose last serial digit determines the outcome. */
export const scripted = (digit: number) =>
  nuban({ bankCode: "000", serial: String(12_345_670 + digit).padStart(9, "0") });

/** Numbers that look random and are the same for the same seed: mulberry32. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** Five payouts of the month, by what the test bank does: it says success, nothing at first, failure, and returns two. */
const SCRIPTS = [1, 5, 2, 3, 5];

/**
 * A month of a shop, in calls of its server: customers pay or do not, suppliers are paid. Its server is down until the first event is
 * given up, and later for a day, in which nothing is given up, whether its endpoint is held or not: a held one is tried more often.
 */
export async function playMonth(
  { make, advance, down }: Shop,
  { seed, from }: { seed: number; from: string },
): Promise<void> {
  const below = seeded(seed);
  await advance({ advance_to: from });
  await make("/customer_accounts", CUSTOMER);
  for (let day = 0; day < 30; day++) {
    if (day === 0 || day === 10) down(true);
    if (day === 4 || day === 11) down(false);
    const amount = 100 + below(900);
    if (day === 0 || day > 3) await make("/customer_accounts/cust_42/simulate_payment", { outcome: "paid", amount });
    if (day % 2 === 0) await make("/payments", { amount: 50 + below(50), reference: `order-${day}`, ...CUSTOMER });
    const hours = 1 + below(12);
    await advance({ advance_by: hours * HOUR_S });
    const payout = { amount: 100 + below(100), bank_code: "000", reference: `payout-${day}` };
    if (day % 6 === 5) await make("/transfers", { ...payout, account_number: scripted(SCRIPTS[(day - 5) / 6] ?? 1) });
    await advance({ advance_by: DAY_S - hours * HOUR_S });
  }
  await advance({ advance_by: 10 * DAY_S });
}

const LISTS = ["events", "payments", "settlements", "transfers", "collections"];
/** Ids, and the kobo by which a session is recognized. */
const IDS = /\b(?:evt|pay|col|trf|stl)_\w+|\b\d{10}\b|(?<="amount":)\d+\.\d+(?=,"amount_requested")/g;

/** How often an event was tried that waited with others: a held endpoint is noticed by a process, and not by the clock. */
const PROBED = /("status":"delivered","attempts":)\d+/g;

/**
 * All that the shop can read of it, and the bodies that it got, each once however often it was tried, in the order of their
 * numbers. Ids are replaced by their order.
 */
export async function readAll({ body, merchant }: Shop) {
  const lists: Record<string, unknown> = { balance: await body("/balance") };
  for (const list of LISTS) lists[list] = (await body(`/${list}?limit=100`)).data;
  const received = inOrder(merchant.received("test"));
  const delivered = new Map(received.map(({ headers, raw }) => [headers["x-service-sequence"], raw.toString()]));
  const ids = new Map<string, string>();
  const orderOf = (id: string) => ids.get(id) ?? `id ${ids.set(id, `id ${ids.size}`).size - 1}`;
  const withoutIds = (text: string) => text.replaceAll(IDS, orderOf).replaceAll(PROBED, "$1");
  return {
    lists,
    read: withoutIds(JSON.stringify(lists)),
    delivered: [...delivered.values()].map(withoutIds),
  };
}
