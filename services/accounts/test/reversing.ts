import { collectionRecorded, type Fact, transferReversed, unallocatedReversed } from "@collect/contracts";
import { randomId, recordFacts, until } from "@collect/testing";
import { expect } from "vitest";
import { aLiveAccount, rowOf, world } from "./intake-world.ts";
import { aReport, report } from "./world.ts";

/** What tests of reversals do with accounts. */

export const AT = "2026-11-22T09:30:00.000+00:00";

export const statusOf = async (body: object) => (await report(world, body)).body.status;
/** A report that takes back a transfer, under an id of its own. */
export const aReversal = (
  { id, account_number, amount, currency }: ReturnType<typeof aReport>,
  given: object = {},
) => ({
  ...{ id: randomId("rev"), account_number, amount, currency, type: "reversal", reverses: id },
  ...given,
});
export const reversalOf = async ({ id }: { id: string }) =>
  (await world.owner.query("select * from inbound_reversals where bank_transfer_id = $1", [id])).rows[0];
export const quarantineOf = async ({ id }: { id: string }) =>
  (await world.owner.query("select reason from quarantined_transfers where bank_transfer_id = $1", [id])).rows[0]
    ?.reason;

type Merchant = Fact<typeof collectionRecorded>["merchant"];
export const recordedOf = (intakeId: string, merchant: Merchant) => ({
  ...{ intakeId, merchant, reference: intakeId.replace("int_", "col_"), sequence: 1, deliveryNumber: null },
  recordedAt: AT,
});

/** After `useIntakeWorld`. */
export async function useReversing() {
  const reversed = await recordFacts(world.others, transferReversed);
  const unallocatedBack = await recordFacts(world.others, unallocatedReversed);
  const publishedOf = (intakeId: string) => reversed.all.filter((fact) => fact.intakeId === intakeId);
  async function complete(transfer: { id: string }, merchant: Merchant) {
    const { intake_id: intakeId } = await rowOf(transfer.id);
    await world.others.publish(collectionRecorded, [recordedOf(intakeId, merchant)]);
    await until("complete", async () => (await rowOf(transfer.id)).completed_at !== null);
  }
  return {
    unallocatedBack,
    publishedOf,
    untilPublished: (intakeId: string) =>
      until("published", () => publishedOf(intakeId).length > 0 && publishedOf(intakeId)[0]),
    /** Due now, however long it would wait. */
    drive: () => world.owner.query("update inbound_reversals set drive_at = now() where completed_at is null"),
    complete,
    /** A live credit whose event is recorded, as if the whole path had run. */
    async aCredit(given: object = {}) {
      const { merchant, accountNumber } = await aLiveAccount();
      const transfer = aReport(accountNumber, given);
      expect(await statusOf(transfer)).toBe("accepted");
      const { intake_id: intakeId } = await rowOf(transfer.id);
      await complete(transfer, merchant);
      return { merchant, transfer, intakeId };
    },
  };
}
