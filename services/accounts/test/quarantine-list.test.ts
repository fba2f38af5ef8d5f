import { listExceptions } from "@collect/contracts";
import { expect, test } from "vitest";
import { aLiveAccount, useIntakeWorld, world } from "./intake-world.ts";
import { aReport, report } from "./world.ts";

await useIntakeWorld();

const listed = async (id: string) =>
  (await world.others.request(listExceptions, {})).quarantined.filter((each) => each.bank_transfer_id === id);

test("quarantined money is listed with its amount, its currency, whose account it is and how often it was reported", async () => {
  const { merchant, accountNumber } = await aLiveAccount();
  const transfer = aReport(accountNumber, { currency: "USD" });
  for (let n = 0; n < 2; n++) expect((await report(world, transfer)).body.status).toBe("quarantined");
  expect(await listed(transfer.id)).toEqual([
    {
      ...{ bank_transfer_id: transfer.id, bank: "729", mode: "live", received_at: expect.any(String) },
      ...{ reason: expect.stringContaining("currency"), times: 2 },
      ...{ account_number: accountNumber, amount_kobo: "250073", currency: "USD" },
      ...{ merchant_id: merchant.id, customer_reference: "cust_42" },
    },
  ]);
});

test("quarantined money paid into an account without an owner names no merchant", async () => {
  const { accountNumber } = await aLiveAccount();
  const transfer = aReport(accountNumber);
  await report(world, transfer);
  await report(world, { ...transfer, account_number: "9999999999" });
  expect(await listed(transfer.id)).toMatchObject([
    { account_number: "9999999999", amount_kobo: "250073", merchant_id: null, customer_reference: null, times: 1 },
  ]);
});

test("no more than a hundred are listed, the newest first, each once", async () => {
  await world.owner.query(
    `insert into quarantined_transfers (bank, mode, bank_transfer_id, account_number, amount, currency, reason, received_at)
     select '729', 'live', 'many-' || n, '9999999999', n, 'NGN', 'a test', now() + n * interval '1 second' from generate_series(1, 150) n`,
  );
  const { quarantined } = await world.others.request(listExceptions, {});
  expect(quarantined.map(({ amount_kobo }) => Number(amount_kobo))).toEqual(
    Array.from({ length: 100 }, (_, place) => 150 - place),
  );
});
