import { join } from "node:path";
import { getCompletenessProof, getLedgerProof, SERVICES } from "@collect/contracts";
import { until } from "@collect/testing";
import { redrive } from "../faults/proof.ts";
import { openShop, type Shop } from "../faults/shop.ts";
import { aCustomer, openTraffic } from "../faults/traffic.ts";
import { untilCurrent } from "../stack/current.ts";
import { ARCHIVING, takeBaseBackup } from "../stack/physical-backup.ts";
import { type ProcessName, type Stack, startStack } from "../stack.ts";
import { proveNoneLost } from "./proof.ts";

const PER_SECOND = 30;

/**
 * Loses the PostgreSQL server of a stack while money flows, and brings all of it back from a base backup and the archived WAL: to
 * a moment before the end, as after a mistake. What came since is known only to the bank and the merchants, who repeat it.
 * `transfers` come between the backup and that moment, and a third as many after it.
 */
export async function runDrill({ transfers, say }: { transfers: number; say(line: string): void }): Promise<void> {
  let directory = "";
  const prepare = async (stackDirectory: string) => {
    directory = join(stackDirectory, "postgres");
    return async () => {};
  };
  const stack = await startStack({ postgres: ARCHIVING, prepare });
  const timed = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
    const started = performance.now();
    const result = await work();
    say(`${what}: ${((performance.now() - started) / 1_000).toFixed(1)} s`);
    return result;
  };
  try {
    const [traffic, shop] = [await openTraffic(stack, { perSecond: PER_SECOND }), await openShop(stack)];
    const late = await aCustomer(stack);
    const references: string[] = [];
    const flow = async (count: number) => {
      await Promise.all([traffic.flow(count), order(shop, references, Math.ceil(count / 10))]);
    };
    await flow(transfers / 3);
    const [backup] = await Promise.all([
      timed("base backup, while money flows", () => takeBaseBackup(stack, directory)),
      flow(transfers / 3),
    ]);
    say(`  ${Math.round(backup.bytes / 1e6)} MB`);
    await flow(transfers);
    const moment = await nowOf(stack);
    // The first events of this one are among what is lost.
    traffic.customers.push(late);
    await flow(transfers / 3);
    await timed("the archive has everything", () => backup.untilArchived());
    const before = await countIntake(stack);

    const lostAt = performance.now();
    await timed("all processes are killed, and the server's files are gone", () => loseEverything(stack));
    await timed(`PostgreSQL is back at ${moment}`, () => backup.restoreTo(moment));
    say(`  ${before - (await countIntake(stack))} of ${before} transfers came after it`);
    await skipNumbers(stack);
    await stopPayouts(stack, true);
    await recoverPayments(stack, moment);
    await timed("the services are back", () => startEverything(stack));
    say(`  ${((performance.now() - lostAt) / 1_000).toFixed(1)} s after the loss`);
    await stopPayouts(stack, false);
    // New money before the repeats: if numbers began again, it would get those of other events.
    await traffic.flow(traffic.customers.length);
    await timed("the bank and the merchant have repeated theirs", async () => {
      await traffic.repeatAll();
      await order(shop, [], references.length);
    });
    await timed("redrive", () => redrive(stack, traffic));
    await timed("self-audit", () => untilAudited(stack));
    await flow(transfers / 3);
    say(await proveNoneLost(stack, { traffic, shop, references }));
  } finally {
    await stack.stop();
  }
}

/** Orders so many payouts more; from none, repeats the first ones. */
async function order(shop: Shop, references: string[], count: number): Promise<void> {
  for (let n = 0; n < count; n++) references.push(await shop.send(references.length));
}

async function nowOf(stack: Stack): Promise<string> {
  const { rows } = await stack.database("accounts").query("select now()::text as moment");
  return rows[0].moment;
}

async function countIntake(stack: Stack): Promise<number> {
  const { rows } = await stack.database("accounts").query("select count(*)::int as count from inbound_transfers");
  return rows[0].count;
}

/** Waits for a proof of everything that was made after this call. */
async function untilAudited(stack: Stack): Promise<void> {
  const since = new Date().toISOString();
  await until(
    "the self-audit is clean",
    async () => {
      await stack.database("accounts").query("update audit_proofs set next_at = now()");
      const { proven_at, differences, unfinished } = await stack.bus.request(getCompletenessProof, {});
      const ledger = await stack.bus.request(getLedgerProof, {});
      return (proven_at ?? "") > since && differences.length === 0 && unfinished.length === 0 && ledger.holds;
    },
    90_000,
  );
}

/** No peer is ahead of it, so it does not notice: without this it would order, or give back, what the bank has paid since. */
async function recoverPayments(stack: Stack, moment: string): Promise<void> {
  const recover =
    "insert into recoveries (restored_to, step, next_at) values ($1::timestamptz - interval '6 minutes', 'noticed', now())";
  await stack.database("payments").query(`${recover} on conflict do nothing`, [moment]);
}

const PROCESSES: readonly ProcessName[] = SERVICES;

async function loseEverything(stack: Stack): Promise<void> {
  await Promise.all(PROCESSES.map((name) => stack.service(name).kill9()));
  await stack.stopPostgres({ immediate: true });
}

/**
 * Merchants have received events under numbers that no service knows any more: another event must not get one of them, nor those of
 * a merchant that has no counter yet.
 */
async function skipNumbers(stack: Stack): Promise<void> {
  const { rows } = await stack.database("gateway").query("select id from merchants");
  const webhooks = stack.database("webhooks");
  await webhooks.query(
    "insert into counters (merchant_id, mode) select id, mode from unnest($1::text[]) id, unnest('{live,test}'::text[]) mode on conflict do nothing",
    [rows.map(({ id }) => id)],
  );
  await webhooks.query("update counters set sequence = sequence + 1000000");
  await webhooks.query("select setval('deliveries_number_seq', last_value + 1000000) from deliveries_number_seq");
}

/** From before the services start until what was revoked since the moment is revoked again. */
async function stopPayouts(stack: Stack, stopped: boolean): Promise<void> {
  await stack.database("payments").query("update payout_switch set stopped = $1", [stopped]);
}

async function startEverything(stack: Stack): Promise<void> {
  await Promise.all(PROCESSES.map((name) => stack.service(name).restart()));
  await untilCurrent(stack.bus);
}
