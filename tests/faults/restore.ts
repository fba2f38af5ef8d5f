import {
  getCompletenessProof,
  getLedgerProof,
  getRecovery,
  MONEY_SERVICES,
  type MoneyService,
} from "@collect/contracts";
import { until } from "@collect/testing";
import type { Stack } from "../stack.ts";
import type { Shop } from "./shop.ts";
import { openTakenBack } from "./taken-back.ts";
import type { Traffic } from "./traffic.ts";

/** How long a recovery may take here; it depends only on the amount of lost data. */
const WITHIN_MS = 90_000;

/**
 * Runs traffic in both directions, backs up a service's database, continues the traffic, and restores the backup under
 * load, without an operator's help, until the service reports that it has caught up. What the bank took back before, after
 * and meanwhile is then as it was. Returns the references of the accepted transfers.
 */
export async function restoreUnderLoad(
  stack: Stack,
  name: MoneyService,
  { traffic, shop, meanwhile }: { traffic: Traffic; shop: Shop; meanwhile?: () => Promise<void> },
): Promise<string[]> {
  const references: string[] = [];
  const pay = async (count: number) => {
    for (let n = 0; n < count; n++) references.push(await shop.send(references.length));
  };
  const service = stack.service(name);
  const takenBack = await openTakenBack(stack);
  await Promise.all([traffic.flow(60), pay(8), takenBack.reverse()]);
  const restore = await backUp(stack, name);
  await Promise.all([
    traffic.flowUntil(untilEpochIncreased(stack, name)),
    ...[pay(12), takenBack.reverse().then(takenBack.reverse), meanwhile?.()],
  ]);

  await traffic.flowUntil(
    (async () => {
      // Transfers are in progress in both directions while it is killed.
      const paying = Promise.all([pay(6), takenBack.reverse()]);
      await restore();
      await service.restart();
      // Killed once more during the recovery: the next process resumes it.
      await service.kill9();
      await service.restart();
      await untilCaughtUp(stack, name);
      await paying;
    })(),
  );
  await takenBack.prove();
  return references;
}

/** A backup whose restore the peers will detect: every service increments its epoch every two seconds. */
export async function backUp(stack: Stack, name: MoneyService): Promise<() => Promise<void>> {
  await untilConfirmed(stack, name);
  const restore = await stack.backUp(name);
  // At least that of the copy.
  const epoch = await epochOf(stack, name, name);
  return async () => {
    await untilEpochIncreased(stack, name, epoch);
    await stack.service(name).kill9();
    await restore();
  };
}

/** Waits until every peer has confirmed its epoch: an operator must date the restore of a backup from before that. */
export async function untilConfirmed(stack: Stack, name: MoneyService): Promise<void> {
  await until(`the peers of ${name} have confirmed its epoch`, async () => {
    const { rows } = await stack.database(name).query("select from epochs where confirmed_at is not null");
    return rows.length === MONEY_SERVICES.length - 1;
  });
}

/**
 * Waits until a peer has a higher epoch of the service than this one, or than the service has now, and than the next one: a restored
 * service counts once before it asks.
 */
export async function untilEpochIncreased(stack: Stack, name: MoneyService, epoch?: bigint): Promise<void> {
  const before = epoch ?? (await epochOf(stack, name, name));
  const peer = name === "ledger" ? "payments" : "ledger";
  await until(`the epoch of ${name} has increased`, async () => (await epochOf(stack, name, peer)) > before + 1n);
}

/** The epoch of a service in the database of another one, or in its own. */
async function epochOf(stack: Stack, name: MoneyService, database: MoneyService): Promise<bigint> {
  const { rows } = await stack.database(database).query("select epoch from epochs where service = $1", [name]);
  return BigInt(rows[0]?.epoch ?? 0);
}

export async function untilCaughtUp(stack: Stack, name: MoneyService): Promise<void> {
  let last: unknown;
  await until(
    `${name} has caught up`,
    async () => {
      const answer = await stack.bus.request(getRecovery[name], {}).catch(() => undefined);
      last = answer;
      return answer?.is_current && answer.recovery?.finished_at;
    },
    WITHIN_MS,
  ).catch((error: unknown) => {
    const logs = stack.service(name).logs().split("\n").slice(-20).join("\n");
    throw new Error(`${name} has not caught up: ${JSON.stringify(last)}\n${logs}`, { cause: error });
  });
}

/** The proofs that `ops -- audit` shows. */
export async function proveAudit(stack: Stack): Promise<void> {
  await until(
    "the services agree, and the ledger is balanced",
    async () => {
      await stack.database("accounts").query("update audit_proofs set next_at = now()");
      const { proven_at, differences, unfinished } = await stack.bus.request(getCompletenessProof, {});
      const ledger = await stack.bus.request(getLedgerProof, {});
      return proven_at !== null && differences.length === 0 && unfinished.length === 0 && ledger.holds;
    },
    WITHIN_MS,
  );
}
