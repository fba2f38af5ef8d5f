import { listBankMovements } from "@collect/contracts";
import { expect, test } from "vitest";
import { aLiveAccount, rowOf, useIntakeWorld, world } from "./intake-world.ts";
import { aReport, report } from "./world.ts";

await useIntakeWorld();

const list = async (after = { at: "2000-01-01T00:00:00.000+00:00", key: "" }, mode: "test" | "live" = "live") =>
  (await world.others.request(listBankMovements, { mode, after })).rows;

test("what banks reported is listed once committed, by receipt, with or without an owner, and not again after its place", async () => {
  const { accountNumber } = await aLiveAccount();
  const reports = [aReport(accountNumber), aReport("9999999999"), aReport(accountNumber)];
  for (const transfer of reports) await report(world, transfer);
  // Money that is quarantined is not with us.
  await report(world, { ...aReport(accountNumber), currency: "USD" });
  const rows = await list();
  expect(rows.map(({ bank_transfer_id }) => bank_transfer_id)).toEqual(reports.map(({ id }) => id));
  const [first, second] = rows;
  if (!first || !second) throw new Error("three were reported");
  const { intake_id, received_at } = await rowOf(first.bank_transfer_id);
  expect(first).toEqual({
    ...{ intake_id, bank: "729", bank_transfer_id: first.bank_transfer_id, amount: "250073" },
    ...{ bank_fee: "0", bank_vat: "0", session_id: null, settlement_id: null },
    ...{ paid_at: "2026-11-21T09:30:00.123+00:00", received_at },
  });
  expect(await list({ at: first.received_at, key: first.intake_id })).toEqual(rows.slice(1));
  expect(await list({ at: "2099-01-01T00:00:00.000+00:00", key: "" })).toEqual([]);
  expect(await list(undefined, "test")).toEqual([]);
});
