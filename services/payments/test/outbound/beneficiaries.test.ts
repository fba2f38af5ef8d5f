import { TEST_BANK } from "@collect/bank";
import {
  collectionPosted,
  eraseCollections,
  listBeneficiaries,
  type MerchantScope,
  removeBeneficiary,
  saveBeneficiary,
} from "@collect/contracts";
import { aMerchant, aTransfer, randomId, until } from "@collect/testing";
import { expect, test } from "vitest";
import { ADA } from "./batches-world.ts";
import { aFundedMerchant, anOrder, refusalOf, send, testAccount, untilStatus } from "./transfers-world.ts";
import { useTransfers } from "./use-transfers.ts";

const { world, ledger } = await useTransfers();

const list = async (merchant: MerchantScope) => (await world.others.request(listBeneficiaries, { merchant })).data;
const save = (merchant: MerchantScope, reference: string) =>
  world.others.request(saveBeneficiary, { merchant, reference }, { actor: ADA });

async function aPayout(digit: number, status: string) {
  const merchant = aFundedMerchant(ledger);
  const { transfer } = await send(world, merchant, anOrder({ account_number: testAccount(digit) }));
  return { merchant, transfer: await untilStatus(world, merchant, transfer.reference, status) };
}

test("the account of a transfer is saved once, however often, and for its merchant and mode alone", async () => {
  const { merchant, transfer } = await aPayout(1, "success");
  await Promise.all(Array.from({ length: 5 }, () => save(merchant, transfer.reference)));
  const { account_name, bank_name } = transfer;
  const account = { bank_code: TEST_BANK.code, account_number: testAccount(1) };
  expect(await list(merchant)).toMatchObject([{ ...account, account_name, bank_name }]);
  expect(await list({ ...merchant, mode: "live" })).toEqual([]);
  const other = aFundedMerchant(ledger);
  expect(await list(other)).toEqual([]);
  expect(await refusalOf(save(other, transfer.reference))).toBe("not_found");

  await world.others.request(removeBeneficiary, { merchant: other, ...account });
  expect(await list(merchant)).toHaveLength(1);
  for (let time = 0; time < 2; time++) await world.others.request(removeBeneficiary, { merchant, ...account });
  expect(await list(merchant)).toEqual([]);
});

test.each([
  ["failed", 2],
  ["reversed", 5],
])("the account of a transfer that is %s is not saved", async (status, digit) => {
  const { merchant, transfer } = await aPayout(digit, status);
  expect(await refusalOf(save(merchant, transfer.reference))).toBe("conflict");
  expect(await list(merchant)).toEqual([]);
});

test("no more than 500 are saved", async () => {
  const { merchant, transfer } = await aPayout(1, "success");
  await world.owner.query(
    `insert into beneficiaries (merchant_id, mode, bank_code, account_number, bank_name, account_name)
     select $1, 'test', '058', lpad(n::text, 10, '0'), 'A bank', 'A name' from generate_series(1, 500) n`,
    [merchant.id],
  );
  expect(await refusalOf(save(merchant, transfer.reference))).toBe("conflict");
  await world.owner.query("delete from beneficiaries where merchant_id = $1 and account_number = '0000000001'", [
    merchant.id,
  ]);
  expect(await save(merchant, transfer.reference)).toMatchObject({ account_number: testAccount(1) });
});

test("what a merchant saved to pay the erased payer is gone, and the name in files of transfers; nobody else's is", async () => {
  const merchant = aMerchant();
  const stranger = aMerchant();
  const payer = { name: "Ada Obi", accountNumber: "0123456789", bankName: "First Bank" };
  const { fundedBy: _, ...transfer } = aTransfer({ merchant, payer });
  const source = { bank: "729", bankTransferId: randomId("bank"), narration: null, allocated: false };
  const posted = {
    feeBasisPoints: 0,
    fee: 0n,
    net: transfer.amount,
    transactionId: "1",
    postedAt: "2026-11-21T09:30:02.000+00:00",
  };
  const collection = { ...transfer, ...posted, source };
  await world.others.publish(collectionPosted, [collection]);
  const isStored = "select from collections where intake_id = $1";
  await until("it is stored", async () => (await world.owner.query(isStored, [collection.intakeId])).rowCount === 1);
  for (const [{ id, mode }, account, batch] of [
    [merchant, "0123456789", "bat_erased"],
    [merchant, "0123456780", "bat_of_another_account"],
    [stranger, "0123456789", "bat_of_another_merchant"],
  ] as const) {
    await world.owner.query(
      `insert into beneficiaries (merchant_id, mode, bank_code, account_number, bank_name, account_name)
       values ($1, $2, '011', $3, 'First Bank', 'ADA OBI')`,
      [id, mode, account],
    );
    await world.owner.query(
      `with b as (insert into transfer_batches (reference, merchant_id, mode, name, lines, total) values ($4, $1, $2, 'a.csv', 1, 1) returning reference)
       insert into transfer_batch_lines (batch, line, merchant_id, mode, amount, bank_code, account_number, account_name, reference, has_own_reference)
       select reference, 2, $1, $2, 1, '011', $3, 'ADA OBI', reference || '-2', false from b`,
      [id, mode, account, batch],
    );
  }
  const erasure = {
    id: randomId("ers"),
    merchant,
    kind: "payer" as const,
    reference: collection.intakeId.replace("int_", "col_"),
  };
  const request = { erasure: { ...erasure, requested_at: "2026-11-22T10:00:00.000+00:00" }, kind: "payer" as const };
  await world.others.request(eraseCollections, { ...request, intake_ids: [collection.intakeId] });
  const { rows: lines } = await world.owner.query(
    "select batch, account_name from transfer_batch_lines order by batch",
  );
  expect(lines.map(({ batch, account_name }) => [batch, account_name])).toEqual([
    ["bat_erased", "Erased"],
    ["bat_of_another_account", "ADA OBI"],
    ["bat_of_another_merchant", "ADA OBI"],
  ]);
  const { rows } = await world.owner.query(
    "select merchant_id, account_number from beneficiaries where account_number like '012345678%'",
  );
  expect(rows).toHaveLength(2);
  expect(rows).not.toContainEqual({ merchant_id: merchant.id, account_number: "0123456789" });
});
