import { until } from "@collect/testing";
import { expect, test } from "vitest";
import { matchAccount } from "../src/use-cases/match-account.ts";
import { ACCOUNT, aDay, camtOf } from "./files.ts";
import { useStatements } from "./world.ts";

const world = await useStatements();

test("what is matched is what a day was closed with: a matching waits for a closing that is under way", async () => {
  await world.declareAccount();
  await world.importFile(
    new TextEncoder().encode(camtOf([aDay("2026-10-05", 0n, [{ amount: 40n, narration: "IN" }])])),
  );
  const closing = await world.owner.connect();
  try {
    await closing.query("begin");
    await closing.query("select pg_advisory_xact_lock(hashtext('closings'))");
    let isDone = false;
    const matching = matchAccount(world.pool, ACCOUNT).then(() => {
      isDone = true;
    });
    await until("it waits", async () => {
      const { rows } = await closing.query("select from pg_locks where locktype = 'advisory' and not granted");
      return rows.length > 0;
    });
    expect(isDone).toBe(false);
    await closing.query("commit");
    await matching;
  } finally {
    closing.release();
  }
});
