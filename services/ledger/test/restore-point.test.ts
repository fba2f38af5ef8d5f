import { createEpochs } from "@collect/bus";
import { getRecovery, reserveTransfer, startRecovery } from "@collect/contracts";
import { readMetrics } from "@collect/telemetry";
import { aMerchant, randomId, until } from "@collect/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openLedger } from "./ledger.ts";

let ledger: Awaited<ReturnType<typeof openLedger>>;
beforeEach(async () => {
  ledger = await openLedger();
  await until("the epoch has advanced", async () => {
    const { rows } = await ledger.owner.query("select epoch from epochs where service = 'ledger'");
    return rows[0]?.epoch > 2n;
  });
  // From the end of a beat until the next one nothing is stored.
  const before = await confirmedAt();
  await until("the neighbors have confirmed a beat", async () => (await confirmedAt()) !== before);
});
afterEach(() => ledger.close());

async function confirmedAt(): Promise<string> {
  const { rows } = await ledger.owner.query("select max(confirmed_at)::text as at from epochs");
  return rows[0].at;
}

const recoveryOf = () => ledger.others.request(getRecovery.ledger, {});
const unfinished = async () => {
  const { is_current, recovery } = await recoveryOf();
  return !is_current && recovery && recovery.finished_at === null ? recovery : undefined;
};

test("a ledger restored to before any neighbor confirmed its epoch stays closed until the operator gives the restore point", async () => {
  // The state of a migrated backup from before the migration: no epoch that a neighbor confirmed.
  await ledger.owner.query("delete from epochs");
  const recovery = await until("the ledger detects it", unfinished);
  expect(recovery.step).toMatch(/the restore time is unknown/);
  const transfer = { transfer_id: randomId("trf"), merchant: aMerchant(), amount: "1" };
  const epochNow = async () => {
    const { rows } = await ledger.owner.query("select epoch from epochs where service = 'ledger'");
    return rows[0].epoch;
  };
  const before = await epochNow();
  await until("it continues beating", async () => (await epochNow()) > before + 3n);
  await expect(ledger.others.request(reserveTransfer, transfer)).rejects.toMatchObject({ code: "service_unavailable" });
  expect((await unfinished())?.step).toMatch(/the restore time is unknown/);

  const restoredTo = "2026-11-20T09:30:00.000+00:00";
  const started = await ledger.others.request(startRecovery.ledger, { restored_to: restoredTo });
  expect(Date.parse(started.recovery.restored_to)).toBe(Date.parse(restoredTo) - 6 * 60_000);
  await until("it begins", async () => (await unfinished())?.step === "collections");
});

test("a ledger restored to the middle of a recovery catches up with everything lost since", async () => {
  await ledger.owner.query(
    "insert into recoveries (restored_to, noticed_at, step) values (now() - interval '3 hours', now() - interval '2 hours', 'collections')",
  );
  await ledger.owner.query("update epochs set epoch = 1 where service = 'ledger'");
  const noticed = await until("the ledger detects it", async () => {
    const recovery = await unfinished();
    return recovery && Date.now() - Date.parse(recovery.noticed_at) < 60_000 ? recovery : undefined;
  });
  expect(Date.now() - Date.parse(noticed.restored_to)).toBeGreaterThan(3 * 3_600_000 - 60_000);
});

test("how long a recovery has been in progress is measured, from every replica, until it ends", async () => {
  const { pool, bus, log } = ledger;
  const { component } = createEpochs({ service: "ledger", pool, bus, log, recover: async () => {} });
  const shown = async () => {
    await component.measurements?.recovery?.measure();
    return (await readMetrics()).text.match(/^collect_recovery_seconds.*$/m)?.[0];
  };
  expect(await shown()).toBeUndefined();
  await ledger.owner.query(
    "insert into recoveries (restored_to, noticed_at, step, next_at) values (now(), now() - interval '12 minutes', 'collections', 'infinity')",
  );
  expect(await shown()).toMatch(/\{step="collections"\} 72\d/);
  await ledger.owner.query("update recoveries set finished_at = now(), step = 'done'");
  expect(await shown()).toBeUndefined();
});
