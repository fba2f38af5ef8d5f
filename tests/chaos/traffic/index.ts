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
  /** Generates traffic with bursts for this long; then begins nothing new. */
  flow(seconds: number, bursts: readonly Burst[]): Promise<void>;
  /** The number of unfinished reports, orders and sessions. */
  inProgress(): number;
  /** Abandons unfinished work. */
  abandon(): void;
};

const CUSTOMERS_PER_MERCHANT = 5;
const IN_PROGRESS_MAX = 600;
const BURST_CONCURRENCY = 48;
const INTERVAL_MS = { session: 700, payout: 1_000, settlement: 2_500, simulation: 500 };

export async function openTraffic(world: World, { seed, rate }: { seed: number; rate: number }): Promise<Traffic> {
  const abandoned = new AbortController();
  const urlsOf = (service: string) =>
    world.members.all.filter(({ name }) => name.startsWith(`${service}.`)).map(({ url }) => url);
  let inProgress = 0;
  const context: Context = {
    world,
    random: createRandom(seed, "traffic"),
    bank: createCaller(urlsOf("accounts"), abandoned.signal),
    merchantApi: createCaller(urlsOf("gateway"), abandoned.signal),
    inProgress: () => inProgress,
    launch(work) {
      if (inProgress >= IN_PROGRESS_MAX) return;
      inProgress++;
      void work()
        .catch((error) => void world.observations.anomalies.push(`the traffic failed: ${error}`))
        .finally(() => inProgress--);
    },
  };
  const bank = createBank(context, await createAccounts(world));

  async function every(ms: number, end: number, work: () => Promise<unknown>): Promise<void> {
    for (let next = performance.now(); next < end; next += ms) {
      await sleep(Math.max(0, next - performance.now()));
      context.launch(work);
    }
  }
  async function burst({ at, count }: Burst): Promise<void> {
    await sleep(at);
    world.timeline.note(`a burst of ${count} transfers`);
    let remaining = count;
    const worker = async () => {
      while (remaining-- > 0 && !abandoned.signal.aborted) await bank.payRandomAccount();
    };
    inProgress++;
    await Promise.all(Array.from({ length: BURST_CONCURRENCY }, worker));
    inProgress--;
  }
  return {
    async flow(seconds, bursts) {
      const end = performance.now() + seconds * 1_000;
      for (const each of bursts) void burst(each);
      await Promise.all([
        every(1_000 / rate, end, bank.payRandomAccount),
        every(INTERVAL_MS.session, end, () => playSession(context, bank)),
        every(INTERVAL_MS.payout, end, () => orderPayout(context)),
        every(INTERVAL_MS.settlement, end, () => settle(context)),
        every(INTERVAL_MS.simulation, end, () => simulate(context)),
      ]);
    },
    inProgress: () => inProgress,
    abandon: () => abandoned.abort(),
  };
}

/** Creates live customers of every merchant, and one in test mode. */
async function createAccounts({ stack, merchants }: World) {
  const create = (key: string, reference: string) =>
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
    await create(keys.sk_test, TEST_CUSTOMER);
    for (let customer = 0; customer < CUSTOMERS_PER_MERCHANT; customer++)
      accounts.push({ merchant, accountNumber: await create(keys.sk_live, `cust_${customer}`) });
  }
  return accounts;
}
