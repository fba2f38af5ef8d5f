import { answer, durableName, ensureStreams, serveRequests, streamName } from "@collect/bus";
import {
  allocateTransfer,
  type collectionPosted,
  type Fact,
  getLineOffer,
  getRecovery,
  instantOf,
  issueCustomerAccount,
  listAccountCopies,
  listErasureCopies,
  listIntakes,
  listLineOffers,
  listReversals,
  Problem,
  type Result,
  readIntakes,
  reportMissedTransfer,
  startRecovery,
  suspensePosted,
  transferReceived,
  withdrawMissedTransfer,
} from "@collect/contracts";
import { aMerchant, until } from "@collect/testing";
import { expect, test } from "vitest";
import { intakeIdOf } from "../src/domain/intake.ts";
import { aLiveAccount, rowOf, useIntakeWorld, world } from "./intake-world.ts";
import { aPartner, aReport, issued, report } from "./world.ts";

/** Accounts restored to an earlier time; payments, the ledger and statements are played here. */

const partner = aPartner();
let serial = 0;
partner.respond = async ({ accountName }) => issued(String(++serial).padStart(10, "0"), accountName);
await useIntakeWorld(partner);

const none = { rows: [], next: null };
const intakes: Fact<typeof collectionPosted>[] = [];
const payments = [
  answer(listAccountCopies, async () => none),
  answer(listIntakes, async () => ({ intakes: [], next: null })),
  answer(readIntakes, async ({ intake_ids }) => ({
    intakes: intakes.filter(({ intakeId }) => intake_ids.includes(intakeId)),
  })),
  answer(listReversals, async () => none),
  answer(listErasureCopies, async () => none),
];
await serveRequests(world.others, { service: "payments", log: world.log, requests: payments }).start();

const offers: Result<typeof listLineOffers>["rows"] = [];
let isAway = false;
const statements = [
  // One to a page.
  answer(listLineOffers, async ({ after }) => {
    if (isAway) throw new Problem("service_unavailable", "Away.");
    const start = after ? Number(after.key) : 0;
    const rows = offers.slice(start, start + 1);
    const next = start + 1 < offers.length ? { at: "2026-11-21T09:30:00.000+00:00", key: String(start + 1) } : null;
    return { rows, next };
  }),
  answer(getLineOffer, async ({ line }) => {
    const found = offers.find((offer) => offer.line === line);
    if (!found) throw new Problem("not_found", "The line is not offered.");
    return found;
  }),
];
await serveRequests(world.others, { service: "statements", log: world.log, requests: statements }).start();

const recovery = () => world.others.request(getRecovery.accounts, {});
const isAt = (step: string) =>
  until(`accounts is at ${step}`, async () => (await recovery()).recovery?.step?.includes(step));
/** It goes back a minute before the time that it is given. */
const startRecovering = () =>
  world.others.request(startRecovery.accounts, { restored_to: instantOf(new Date(Date.now() + 60_000)) });
const untilCaughtUp = () => until("accounts has caught up", async () => (await recovery()).is_current);

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    ({ code }: Problem) => code,
  );

test("while accounts catches up nothing is asked of a partner and no line is offered, and money that comes is taken", async () => {
  const { accountNumber } = await aLiveAccount();
  isAway = true;
  await startRecovering();
  // The rest does not wait for statements.
  await isAt("offers");
  const asked = partner.requests.length;
  const customer = { customer_reference: "cust_new", customer_name: "Ada Obi" };
  const merchant = { ...aMerchant("live"), name: "Acme Stores" };
  const issue = () => world.others.request(issueCustomerAccount, { merchant, ...customer });
  expect(await codeOf(issue())).toBe("service_unavailable");
  const given = { line: "1", bank_transfer_id: "1", account_number: accountNumber, amount: "1" };
  const offering = world.others.request(reportMissedTransfer, { ...given, payer_name: "CHIDI EZE", paid_at: null });
  expect(await codeOf(offering)).toBe("service_unavailable");
  const withdrawal = { line: "1", bank_transfer_id: "1", reason: "a digit was wrong" };
  expect(await codeOf(world.others.request(withdrawMissedTransfer, withdrawal))).toBe("service_unavailable");
  expect((await report(world, aReport(accountNumber))).body.status).toBe("accepted");
  expect(partner.requests).toHaveLength(asked);
  isAway = false;
  await untilCaughtUp();
  expect((await issue()).account.account_number).toMatch(/^\d{10}$/);
  expect(partner.requests).toHaveLength(asked + 1);
});

test("a session that was offered before a restore is not credited by a late report, and its offer is not withdrawn", async () => {
  const { accountNumber } = await aLiveAccount();
  const offered_at = "2026-11-21T09:30:00.000+00:00";
  const session_id = "000014000013261121093000000031";
  const transfer = aReport(accountNumber, { session_id });
  offers.push(
    { line: "31", bank: "729", bank_transfer_id: "OFFERED-31", session_id, offered_at },
    { line: "32", bank: "729", bank_transfer_id: "OFFERED-32", session_id: null, offered_at },
  );
  await startRecovering();
  await untilCaughtUp();
  expect((await report(world, transfer)).body.status).toBe("quarantined");
  expect(await rowOf(transfer.id)).toBeUndefined();
  for (const { line, bank_transfer_id } of offers) {
    const withdrawal = { line, bank_transfer_id, reason: "a digit was wrong" };
    expect(await codeOf(world.others.request(withdrawMissedTransfer, withdrawal))).toBe("conflict");
  }
  // The offer's own id is credited, if it was not.
  const own = aReport(accountNumber, { session_id, id: "OFFERED-31" });
  expect((await report(world, own)).body.status).toBe("accepted");
});

test("money in suspense whose allocation was in flight has its owner again, and is not allocated to another merchant", async () => {
  const [{ merchant }, other] = [await aLiveAccount(), await aLiveAccount()];
  const transfer = aReport("0123456789", { amount: 1_000 });
  expect((await report(world, transfer)).body.status).toBe("unallocated");
  const intakeId = intakeIdOf("k".repeat(32), { bank: "729", mode: "live", bankTransferId: transfer.id });
  const postedAt = "2026-11-22T09:30:00.000+00:00";
  await world.others.publish(suspensePosted, [
    { mode: "live", transactionId: "1", postedAt, intakeId, amount: 100_000n },
  ]);
  await until("complete", async () => (await rowOf(transfer.id)).completed_at !== null);
  await ensureStreams(world.others.manager, [transferReceived]);
  const allocate = ({ id }: { id: string }) =>
    codeOf(
      world.others.request(allocateTransfer, {
        ...{ intake_id: intakeId, merchant: { id, mode: "live" }, customer_reference: "cust_42" },
      }),
    );
  expect(await allocate(merchant)).toBe("done");
  await world.owner.query(`alter table inbound_transfers disable trigger user;
    update inbound_transfers set merchant_id = null, customer_reference = null, customer_name = null, allocated_at = null, completed_at = now()
      where intake_id = '${intakeId}';
    alter table inbound_transfers enable trigger user`);
  await startRecovering();
  await isAt("have consumed");
  expect(await allocate(other.merchant)).toBe("service_unavailable");
  // The ledger has read it, and payments stored it.
  const { paid_at: paidAt, received_at: receivedAt } = await rowOf(transfer.id);
  intakes.push({
    ...{ intakeId, merchant: { id: merchant.id, mode: "live" }, accountNumber: "0123456789", currency: "NGN" },
    source: { bank: "729", bankTransferId: transfer.id, narration: null, allocated: true },
    ...{ amount: 100_000n, fee: 0n, net: 100_000n, feeBasisPoints: 0, transactionId: intakeId },
    customer: { reference: "cust_42", name: "Ada Obi" },
    payer: { name: "Ada Obi", accountNumber: null, bankName: null },
    ...{ paidAt, receivedAt, postedAt },
  });
  const [stream, durable] = [streamName("accounts", "live"), durableName(transferReceived, "ledger", "live")];
  await world.others.manager.consumers.delete(stream, durable);
  await untilCaughtUp();
  expect(await rowOf(transfer.id)).toMatchObject({ merchant_id: merchant.id, allocated_at: expect.any(String) });
  expect(await allocate(other.merchant)).toBe("conflict");
});
