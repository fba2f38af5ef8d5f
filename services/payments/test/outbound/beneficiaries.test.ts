import { TEST_BANK } from "@collect/bank";
import { listBeneficiaries, type MerchantScope, removeBeneficiary, saveBeneficiary } from "@collect/contracts";
import { expect, test } from "vitest";
import { ADA } from "./batches-world.ts";
import { aFundedMerchant, anOrder, refusalOf, send, testAccount, untilStatus } from "./transfers-world.ts";
import { useTransfers } from "./use-transfers.ts";

const { world, ledger } = await useTransfers();

const list = async (merchant: MerchantScope) => (await world.others.request(listBeneficiaries, { merchant })).data;
const save = (merchant: MerchantScope, reference: string) =>
  world.others.request(saveBeneficiary, { merchant, reference }, { actor: ADA });

async function aTransfer(digit: number, status: string) {
  const merchant = aFundedMerchant(ledger);
  const { transfer } = await send(world, merchant, anOrder({ account_number: testAccount(digit) }));
  return { merchant, transfer: await untilStatus(world, merchant, transfer.reference, status) };
}

test("the account of a transfer is saved once, however often, and for its merchant and mode alone", async () => {
  const { merchant, transfer } = await aTransfer(1, "success");
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
  const { merchant, transfer } = await aTransfer(digit, status);
  expect(await refusalOf(save(merchant, transfer.reference))).toBe("conflict");
  expect(await list(merchant)).toEqual([]);
});

test("no more than 500 are saved", async () => {
  const { merchant, transfer } = await aTransfer(1, "success");
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
