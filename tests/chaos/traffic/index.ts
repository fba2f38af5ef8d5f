import { setTimeout as sleep } from "node:timers/promises";
import { until } from "@collect/testing";
import { createCaller } from "../http.ts";
import { createRandom } from "../random.ts";
import type { Burst } from "../schedule.ts";
import type { World } from "../world.ts";
import { authorization, type Context } from "./context.ts";
import { orderPayout, settle } from "./payouts.ts";
import { playSession } from "./sessions.ts";
import { simulate, TEST_CUSTOMER } from "./test-money.ts";
import { createBank } from "./transfers.ts";

export type Traffic = {
  /** At the given rate, with its bursts, for so long; then nothing new is begun. */
  flow(seconds: number, bursts: readonly Burst[]): Promise<void>;
  /** Reports, orders and sessions that were begun and are not finished. */
  underWay(): number;
  /** Gives up what is still under way. */
  abandon(): void;
};

const CUSTOMERS_EACH = 5;
const UNDER_WAY_MAX = 600;
const BURST_AT_ONCE = 48;
const EVERY_MS = { session: 700, payout: 1_000, settlement: 2_500, simulation: 500 };

export async function openTraffic(world: World, { seed, rate }: { seed: number; rate: number }): Promise<Traffic> {
  const abandoned = new AbortController();
  const addresses = (service: string) =>
    world.members.all.filter(({ name }) => name.startsWith(`${service}.`)).map(({ url }) => url);
  let underWay = 0;
  const context: Context = {
    world,
    random: createRandom(seed, "traffic"),
    bank: createCaller(addresses("accounts"), abandoned.signal),
    merchantApi: createCaller(addresses("gateway"), abandoned.signal),
    underWay: () => underWay,
    launch(work) {
      if (underWay >= UNDER_WAY_MAX) return;
      underWay++;
      void work()
        .catch((error) => void world.books.oddities.push(`the traffic failed: ${error}`))
        .finally(() => underWay--);
    },
  };
  const bank = createBank(context, await openAccounts(world));

  async function every(ms: number, end: number, work: () => Promise<unknown>): Promise<void> {
    for (let next = performance.now(); next < end; next += ms) {
      await sleep(Math.max(0, next - performance.now()));
      context.launch(work);
    }
  }
  async function burst({ at, count }: Burst): Promise<void> {
    await sleep(at);
    world.timeline.note(`a burst of ${count} transfers`);
    let left = count;
    const worker = async () => {
      while (left-- > 0 && !abandoned.signal.aborted) await bank.payAnyone();
    };
    underWay++;
    await Promise.all(Array.from({ length: BURST_AT_ONCE }, worker));
    underWay--;
  }
  return {
    async flow(seconds, bursts) {
      const end = performance.now() + seconds * 1_000;
      for (const each of bursts) void burst(each);
      await Promise.all([
        every(1_000 / rate, end, bank.payAnyone),
        every(EVERY_MS.session, end, () => playSession(context, bank)),
        every(EVERY_MS.payout, end, () => orderPayout(context)),
        every(EVERY_MS.settlement, end, () => settle(context)),
        every(EVERY_MS.simulation, end, () => simulate(context)),
      ]);
    },
    underWay: () => underWay,
    abandon: () => abandoned.abort(),
  };
}

/** Live customers of every merchant, and one in test mode. */
async function openAccounts({ stack, merchants }: World) {
  const open = (key: string, reference: string) =>
    until(`${reference} has an account`, async () => {
      const response = await fetch(`${stack.baseUrl}/customer_accounts`, {
        method: "POST",
        headers: { ...authorization(key), "content-type": "application/json" },
        body: JSON.stringify({ customer_reference: reference, customer_name: "Ada Obi" }),
      });
      return response.status < 300 && String(((await response.json()) as { account_number: string }).account_number);
    });
  const accounts: { merchant: number; accountNumber: string }[] = [];
  for (const [merchant, { keys }] of merchants.entries()) {
    await open(keys.sk_test, TEST_CUSTOMER);
    for (let customer = 0; customer < CUSTOMERS_EACH; customer++)
      accounts.push({ merchant, accountNumber: await open(keys.sk_live, `cust_${customer}`) });
  }
  return accounts;
}
