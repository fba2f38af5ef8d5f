import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Bus } from "@collect/bus";
import { addMember, createMerchant, issueCustomerAccount, Problem } from "@collect/contracts";
import { check, poll } from "./demo-client.ts";
import { Demo, readJson } from "./files.ts";
import { receiveTest, sequenceOf } from "./history.ts";
import { type HistoryCustomer, historyCustomers, historyTransfers } from "./history-plan.ts";
import { connectOperator } from "./operator.ts";
import { runningStack } from "./running.ts";
import { loadSettings } from "./settings.ts";

const CUSTOMERS = 2_000;
const DAYS = 90;
/** Maximum number of transfers in flight: a few batches of every stage. */
const IN_FLIGHT_MAX = 4_000;
const BATCH = 200;

/** npm run seed -- --collections N: adds a merchant owned by the demo user with N test collections, through the regular path. */
try {
  const { values } = parseArgs({ options: { collections: { type: "string", default: "10000" } } });
  const count = Number(values.collections);
  check(
    Number.isInteger(count) && count > 0 && count <= 5_000_000,
    "--collections must be a number from 1 to 5,000,000",
  );
  const settings = loadSettings();
  const { LOCAL_DIRECTORY: directory } = settings;
  const demo = await readJson(join(directory, "demo.json"), Demo);
  check(
    (await runningStack(directory)) !== undefined && demo !== undefined,
    "the stack is not running: run npm start, then repeat this in another terminal",
  );
  const bus = await connectOperator(settings);
  await seed(bus, demo, count);
  await bus.close();
} catch (error) {
  console.error(`\n✗ ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}

async function seed(bus: Bus, demo: Demo, count: number): Promise<void> {
  const name = `Seeded Stores ${count.toLocaleString("en")}`;
  const { merchant_id: id } = await bus.request(createMerchant, { name });
  const { email } = demo.user;
  await bus.request(addMember, { merchant_id: id, email, name: "Demo Owner", role: "owner" });
  const customers = historyCustomers(Math.min(CUSTOMERS, count));
  await issue(bus, { id, name }, customers);
  console.log(`✓ ${name} (${id}) with ${customers.length} customer accounts`);

  const scope = { id, mode: "test" as const };
  const transfers = historyTransfers({
    customers,
    count,
    days: DAYS,
    until: new Date(),
    prefix: `seed-${id.slice(4, 16)}`,
  });
  const began = performance.now();
  for (let at = 0; at < count; at += BATCH) {
    await retryUnavailable(() => receiveTest(bus, scope, transfers.slice(at, at + BATCH)));
    if (at % IN_FLIGHT_MAX === 0) await untilRecorded(bus, scope, at - IN_FLIGHT_MAX);
    if (at % 20_000 === 0 && at > 0)
      console.log(`  ${at.toLocaleString("en")} received, ${rate(at, began)} per second`);
  }
  await untilRecorded(bus, scope, count);
  console.log(`✓ ${count.toLocaleString("en")} collections recorded, ${rate(count, began)} per second`);
  console.log(`  ${demo.dashboard_url}/m/${id}/test/collections`);
}

function rate(count: number, began: number): number {
  return Math.round((count / (performance.now() - began)) * 1_000);
}

async function issue(bus: Bus, merchant: { id: string; name: string }, customers: HistoryCustomer[]): Promise<void> {
  for (let at = 0; at < customers.length; at += 50) {
    await Promise.all(
      customers.slice(at, at + 50).map(({ customer_reference, customer_name }) =>
        bus.request(issueCustomerAccount, {
          merchant: { ...merchant, mode: "test" },
          customer_reference,
          customer_name,
        }),
      ),
    );
  }
}

/** Waits until `recorded` collections are recorded, so that a bounded number is in flight. */
async function untilRecorded(bus: Bus, scope: { id: string; mode: "test" }, recorded: number): Promise<void> {
  if (recorded <= 0) return;
  await poll(
    () => sequenceOf(bus, scope),
    (sequence) => sequence >= recorded,
    (sequence) => `${sequence} of ${recorded} collections were recorded`,
  );
}

/** Retries while a service is unavailable; repeats are safe because the ids are the same. */
async function retryUnavailable(receive: () => Promise<void>): Promise<void> {
  await poll(
    () =>
      receive().then(
        () => true,
        (error) => {
          if (error instanceof Problem && error.code === "service_unavailable") return false;
          throw error;
        },
      ),
    (isReceived) => isReceived,
    () => "a batch was not received",
  );
}
