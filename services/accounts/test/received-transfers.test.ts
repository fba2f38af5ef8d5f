import { findReceivedTransfers, type WireInput } from "@collect/contracts";
import { expect, test } from "vitest";
import { world } from "./intake-world.ts";
import { aCredit, useReversals } from "./reversing.ts";
import { aReport, report } from "./world.ts";

await useReversals();

const find = async (by: WireInput<typeof findReceivedTransfers>["by"]) =>
  (await world.others.request(findReceivedTransfers, { by })).transfers;
const SESSION = "000014261128093000000000000017";

test("an operator looks a transfer up by our id and by those of its bank, with all that the bank said of the money", async () => {
  const said = { bank_fee: 53.75, bank_vat: 4.03, session_id: SESSION, settlement_id: "ST-17" };
  const { merchant, transfer, intakeId } = await aCredit(said);
  const found = await find({ intake_id: intakeId });
  expect(found).toEqual([
    {
      ...{ intake_id: intakeId, mode: "live", bank: "729", bank_transfer_id: transfer.id },
      ...{
        account_number: transfer.account_number,
        amount: "250073",
        bank_fee: "5375",
        bank_vat: "403",
        reversed: "0",
      },
      ...{ session_id: SESSION, settlement_id: "ST-17", merchant_id: merchant.id, customer_reference: "cust_42" },
      ...{ reference: intakeId.replace("int_", "col_"), paid_at: transfer.paid_at, allocated_at: null },
      ...{ received_at: expect.any(String), completed_at: expect.any(String) },
    },
  ]);
  expect(await find({ bank: "729", bank_transfer_id: transfer.id })).toEqual(found);
  expect(await find({ bank: "729", session_id: SESSION })).toEqual(found);
  // Another bank may have the same ids.
  expect(await find({ bank: "providus", bank_transfer_id: transfer.id })).toEqual([]);
  expect(await find({ bank: "providus", session_id: SESSION })).toEqual([]);
  expect(await find({ intake_id: "int_unknown" })).toEqual([]);
});

test("a settlement that the bank reported later is that of the transfer, and money in suspense has no merchant", async () => {
  const inSuspense = aReport("0000000022");
  expect((await report(world, inSuspense)).body.status).toBe("unallocated");
  const by = { bank: "729", bank_transfer_id: inSuspense.id };
  const [transfer] = await find(by);
  expect(transfer).toMatchObject({ merchant_id: null, settlement_id: null, reference: null, completed_at: null });
  await world.owner.query(
    "insert into settled_transfers (intake_id, bank, settlement_id) values ($1, '729', 'ST-18')",
    [transfer?.intake_id],
  );
  expect(await find(by)).toMatchObject([{ settlement_id: "ST-18" }]);
});
