import { getLedgerProof } from "@collect/contracts";
import { startComponents, until } from "@collect/testing";
import { expect, test } from "vitest";
import { AUDITING, createAuditWorker } from "../src/workers/audit.ts";
import { useLedger } from "./ledger.ts";

// A worker that runs only once, to its end: the test starts its own.
const ledger = await useLedger({ auditing: { everyMs: 86_400_000, recentMs: 60_000, workMs: 60_000 } });
const proof = () => ledger.others.request(getLedgerProof, {});

test("sums that took long are not taken again soon, and their own age says so, while the rounds go on", async () => {
  const sumsAt = async () => (await proof()).parts.find(({ name }) => name === "sums")?.proven_at;
  await until("the worker that runs once has run", async () => (await proof()).entries.last_round_at);
  const before = await sumsAt();
  const blocker = await ledger.owner.connect();
  await blocker.query("begin; lock table ledger_accounts in access exclusive mode");
  const worker = createAuditWorker({ pool: ledger.pool, log: ledger.log, auditing: { ...AUDITING, everyMs: 5 } });
  const stop = await startComponents([worker]);
  try {
    await until("the sums have waited for a while", async () => {
      const { rows } = await blocker.query(
        "select from pg_locks where relation = 'ledger_accounts'::regclass and waitstart < clock_timestamp() - interval '200 ms'",
      );
      return rows.length > 0;
    });
    await blocker.query("commit");
    await until("the sums are taken", async () => (await sumsAt()) !== before);
    const taken = await sumsAt();
    for (let round = 0; round < 3; round++) {
      const { last_round_at } = (await proof()).entries;
      await until("a round is finished", async () => (await proof()).entries.last_round_at !== last_round_at);
    }
    expect(await sumsAt()).toBe(taken);
    // As if the database's clock had gone back since.
    await ledger.owner.query("update audit_progress set sums_at = now() + interval '1 hour'");
    const ahead = await sumsAt();
    await until("the sums are taken again", async () => (await sumsAt()) !== ahead);
  } finally {
    blocker.release();
    await stop();
  }
});
