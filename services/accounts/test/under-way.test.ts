import { listUnderWay } from "@collect/contracts";
import { instantOf } from "@collect/database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anIntakeRow } from "./intake-rows.ts";
import { type AccountsWorld, openAccounts } from "./world.ts";

let world: AccountsWorld;
beforeAll(async () => {
  world = await openAccounts();
});
afterAll(async () => {
  await world.stop();
  await world.close();
});

const NOON = new Date("2026-11-21T12:00:00Z");
const after = (ms: number) => instantOf(new Date(NOON.getTime() + ms));
const underWay = async (...accounts: { mode: "test" | "live"; account_number: string; before: string }[]) =>
  (await world.others.request(listUnderWay, { accounts })).under_way;

test("an account is under way while money that came before the time given is not recorded yet", async () => {
  const account = { mode: "live" as const, account_number: "0000000215" };
  const intakeId = await anIntakeRow(world, {
    accountNumber: account.account_number,
    receivedAt: NOON,
    isCompleted: false,
  });
  expect(await underWay({ ...account, before: after(1) })).toEqual([account]);
  expect(await underWay({ ...account, before: after(0) })).toEqual([]);
  expect(await underWay({ ...account, mode: "test", before: after(1) })).toEqual([]);
  expect(await underWay({ ...account, account_number: "0000000222", before: after(1) })).toEqual([]);

  await world.owner.query("update inbound_transfers set completed_at = now() where intake_id = $1", [intakeId]);
  expect(await underWay({ ...account, before: after(1) })).toEqual([]);
});

test("many are asked at once, and each is named once", async () => {
  const accounts = ["0000000239", "0000000246", "0000000253"].map((account_number) => ({
    mode: "test" as const,
    account_number,
  }));
  for (const { mode, account_number: accountNumber } of accounts.slice(0, 2))
    for (const receivedAt of [NOON, NOON])
      await anIntakeRow(world, { mode, accountNumber, receivedAt, isCompleted: false });
  const asked = [...accounts, ...accounts].map((account) => ({ ...account, before: after(1) }));
  const found = await underWay(...asked);
  expect(found.map(({ account_number }) => account_number).sort()).toEqual(["0000000239", "0000000246"]);
  expect(await underWay()).toEqual([]);
});
