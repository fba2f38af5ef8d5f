import { type Problem, reportMissedTransfer, type WireInput } from "@collect/contracts";
import { until } from "@collect/testing";
import { expect, test } from "vitest";
import { aLiveAccount, factsOf, rowOf, useIntakeWorld, world } from "./intake-world.ts";
import { aReport, report } from "./world.ts";

await useIntakeWorld();

const offered = ({ id, account_number }: ReturnType<typeof aReport>): WireInput<typeof reportMissedTransfer> => ({
  ...{ bank: "729", bank_transfer_id: id, account_number, amount: "250073", payer_name: "CHIDI EZE" },
  ...{ narration: "NIP FROM CHIDI EZE", paid_at: "2026-11-21T09:30:00.000+00:00" },
});
const offer = (given: Parameters<typeof offered>[0], other: object = {}) =>
  world.others.request(reportMissedTransfer, { ...offered(given), ...other });

test("a transfer whose notification was lost is credited once, though it is offered twice and then reported", async () => {
  const { merchant, accountNumber } = await aLiveAccount();
  const transfer = aReport(accountNumber);
  const [first, second] = await Promise.all([offer(transfer), offer(transfer)]);
  expect([first.status, second.status].toSorted()).toEqual(["accepted", "duplicate"]);
  expect(first.intake_id).toBe(second.intake_id);
  expect(await rowOf(transfer.id)).toMatchObject({
    merchant_id: merchant.id,
    amount: 250_073n,
    intake_id: first.intake_id,
  });
  await until("published", () => factsOf(first.intake_id).length > 0);
  expect((await report(world, transfer)).body.status).toBe("duplicate");
});

test("one that was reported is a duplicate", async () => {
  const { accountNumber } = await aLiveAccount();
  const transfer = aReport(accountNumber);
  await report(world, transfer);
  expect((await offer(transfer)).status).toBe("duplicate");
});

test("a late report of another amount is quarantined, and what was credited stays", async () => {
  const { accountNumber } = await aLiveAccount();
  const transfer = aReport(accountNumber);
  const { intake_id } = await offer(transfer, { amount: "250000" });
  expect((await report(world, transfer)).body.status).toBe("quarantined");
  expect(await rowOf(transfer.id)).toMatchObject({ intake_id, amount: 250_000n });
});

test("one of a bank that is no partner is refused: it would be another transfer", async () => {
  const { accountNumber } = await aLiveAccount();
  const transfer = aReport(accountNumber);
  expect(await offer(transfer, { bank: "044" }).catch(({ code }: Problem) => code)).toBe("not_found");
  expect((await report(world, transfer)).body.status).toBe("accepted");
});
