import { listBankMovements } from "@collect/contracts";
import { transaction } from "@collect/database";
import { expect, test } from "vitest";
import { restoreTransfers } from "../src/store/recovery.ts";
import { restoreReversals } from "../src/store/reversal-recovery.ts";
import { aLiveAccount, rowOf, useIntakeWorld, world } from "./intake-world.ts";
import { aReport, PAID_AT, report } from "./world.ts";

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
    ...{ paid_at: PAID_AT, received_at, listed_at: received_at },
  });
  expect(await list({ at: first.received_at, key: first.intake_id })).toEqual(rows.slice(1));
  expect(await list({ at: "2099-01-01T00:00:00.000+00:00", key: "" })).toEqual([]);
  expect(await list(undefined, "test")).toEqual([]);
});

test("what this database had lost is listed in the place of its restore, with the time of its receipt, for a reader that was past that", async () => {
  const { accountNumber, merchant } = await aLiveAccount();
  await report(world, aReport(accountNumber));
  const last = (await list()).at(-1);
  if (!last) throw new Error("one was reported");
  const place = { at: last.received_at, key: last.intake_id };
  const receivedAt = "2026-11-20T10:00:00.000+00:00";
  const owner = { id: merchant.id, mode: "live" as const };
  const source = { bank: "729", narration: null, allocated: false };
  await transaction(world.pool, async (tx) => {
    await restoreTransfers(tx, [
      {
        ...{ intakeId: "int_lost", merchant: owner, accountNumber, source: { ...source, bankTransferId: "LOST-1" } },
        ...{ amount: 250_073n, currency: "NGN", fee: 0n, net: 250_073n, feeBasisPoints: 0, transactionId: "1" },
        customer: { reference: "cust_42", name: "Ada Obi" },
        payer: { name: "Chidi Eze", accountNumber: null, bankName: null },
        ...{ paidAt: PAID_AT, receivedAt, postedAt: receivedAt },
      },
    ]);
    await restoreReversals(tx, [
      {
        ...{ intakeId: "int_back", creditId: "int_lost", merchant: owner, amount: 100n, reversedBefore: 0n },
        source: { ...source, bankTransferId: "BACK-1", accountNumber },
        ...{ reversedAt: PAID_AT, receivedAt, fundedBy: "bank" as const },
      },
    ]);
  });
  const later = await list(place);
  expect(later.map(({ intake_id, amount, received_at }) => [intake_id, amount, received_at])).toEqual([
    ["int_lost", "250073", receivedAt],
    ["int_back", "-100", receivedAt],
  ]);
  expect(later.every(({ listed_at = "" }) => listed_at > place.at)).toBe(true);
});
