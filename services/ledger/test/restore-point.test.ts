import { setTimeout as sleep } from "node:timers/promises";
import { getRecovery, reserveTransfer, startRecovery } from "@collect/contracts";
import { aMerchant, someId, until } from "@collect/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openLedger } from "./ledger.ts";

let ledger: Awaited<ReturnType<typeof openLedger>>;
beforeEach(async () => {
  ledger = await openLedger();
  await until("it has counted on", async () => {
    const { rows } = await ledger.owner.query("select epoch from epochs where service = 'ledger'");
    return rows[0]?.epoch > 2n;
  });
  // What the neighbours said of that beat is stored: until the next nothing is.
  await sleep(500);
});
afterEach(() => ledger.close());

const recoveryOf = () => ledger.others.request(getRecovery.ledger, {});
const unfinished = async () => {
  const { is_current, recovery } = await recoveryOf();
  return !is_current && recovery && recovery.finished_at === null ? recovery : undefined;
};

test("a ledger that was restored to before any neighbour confirmed it stays closed until it is told to when", async () => {
  // What a backup from before the migration has once it is migrated: no epoch that anybody confirmed.
  await ledger.owner.query("delete from epochs");
  const recovery = await until("the ledger notices", unfinished);
  expect(recovery.step).toMatch(/nobody knows/);
  const transfer = { transfer_id: someId("trf"), merchant: aMerchant(), amount: "1" };
  const epochNow = async () => {
    const { rows } = await ledger.owner.query("select epoch from epochs where service = 'ledger'");
    return rows[0].epoch;
  };
  const before = await epochNow();
  await until("it goes on beating", async () => (await epochNow()) > before + 3n);
  await expect(ledger.others.request(reserveTransfer, transfer)).rejects.toMatchObject({ code: "service_unavailable" });
  expect((await unfinished())?.step).toMatch(/nobody knows/);

  const restoredTo = "2026-11-20T09:30:00.000+00:00";
  const started = await ledger.others.request(startRecovery.ledger, { restored_to: restoredTo });
  expect(Date.parse(started.recovery.restored_to)).toBe(Date.parse(restoredTo) - 60_000);
  await until("it begins", async () => (await unfinished())?.step === "collections");
});

test("a ledger that was restored to the middle of a recovery catches up with all that was lost until now", async () => {
  await ledger.owner.query(
    "insert into recoveries (restored_to, noticed_at, step) values (now() - interval '3 hours', now() - interval '2 hours', 'collections')",
  );
  await ledger.owner.query("update epochs set epoch = 1 where service = 'ledger'");
  const noticed = await until("the ledger notices", async () => {
    const recovery = await unfinished();
    return recovery && Date.now() - Date.parse(recovery.noticed_at) < 60_000 ? recovery : undefined;
  });
  expect(Date.now() - Date.parse(noticed.restored_to)).toBeGreaterThan(3 * 3_600_000 - 60_000);
});
