import { collectionRecorded, type Fact, transferReversed } from "@collect/contracts";
import { type FactLog, randomId, recordFacts, until } from "@collect/testing";
import { expect } from "vitest";
import { aLiveAccount, rowOf, useIntakeWorld, world } from "./intake-world.ts";
import { aReport, aSerialPartner, report } from "./world.ts";

/** Accounts when a bank takes back what it reported; the other services are played by the tests. */
export async function useReversals(): Promise<void> {
  await useIntakeWorld(aPartnerThatMayNameNoAccount());
  reversed = await recordFacts(world.others, transferReversed);
}

let reversed: FactLog<typeof transferReversed>;
export const AT = "2026-11-22T09:30:00.000+00:00";
export const NO_ACCOUNT = "0000000000";

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
/** Makes it as old, and due. Without the triggers: when it was received never changes. */
export const receivedAgo = ({ id }: { id: string }, age: string) =>
  world.owner.query(
    `set local session_replication_role = replica; update inbound_reversals set received_at = now() - interval '${age}', drive_at = now() where bank_transfer_id = '${id}'`,
  );
export const drive = () =>
  world.owner.query("update inbound_reversals set drive_at = now() where completed_at is null");
export const publishedOf = (intakeId: string) => reversed.all.filter((fact) => fact.intakeId === intakeId);
export const untilPublished = (intakeId: string) =>
  until("published", () => publishedOf(intakeId).length > 0 && publishedOf(intakeId)[0]);

type Merchant = Fact<typeof collectionRecorded>["merchant"];
export const recordedOf = (intakeId: string, merchant: Merchant) => ({
  ...{ intakeId, merchant, reference: intakeId.replace("int_", "col_"), sequence: 1, deliveryNumber: null },
  recordedAt: AT,
});
/** A live credit whose event is recorded, as if the whole path had run. */
export async function aCredit(given: object = {}) {
  const { merchant, accountNumber } = await aLiveAccount();
  const transfer = aReport(accountNumber, given);
  expect(await statusOf(transfer)).toBe("accepted");
  const { intake_id: intakeId } = await rowOf(transfer.id);
  await complete(transfer, merchant);
  return { merchant, transfer, intakeId };
}
export async function complete(transfer: { id: string }, merchant: Merchant) {
  const { intake_id: intakeId } = await rowOf(transfer.id);
  await world.others.publish(collectionRecorded, [recordedOf(intakeId, merchant)]);
  await until("complete", async () => (await rowOf(transfer.id)).completed_at !== null);
}

/** Our own protocol names an account in every report; another partner's adapter leaves it empty. */
function aPartnerThatMayNameNoAccount() {
  const partner = aSerialPartner("0");
  const { notifications } = partner;
  const parse: typeof notifications.parse = (body) => {
    const report = notifications.parse(body);
    return report.accountNumber === NO_ACCOUNT ? { ...report, accountNumber: "" } : report;
  };
  return { ...partner, notifications: { ...notifications, parse } };
}
