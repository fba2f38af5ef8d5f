import { answer, durableName, ensureStreams, serveRequests, streamName } from "@collect/bus";
import {
  allocateTransfer,
  claimLine,
  type collectionPosted,
  type Fact,
  getLineOffer,
  getRecovery,
  getStatementLine,
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
  releaseLine,
  reportMissedTransfer,
  startRecovery,
  suspensePosted,
  transferReceived,
  transferUnallocated,
  withdrawMissedTransfer,
} from "@collect/contracts";
import { aMerchant, until } from "@collect/testing";
import { expect, test } from "vitest";
import { intakeIdOf } from "../src/domain/intake.ts";
import { aLiveAccount, rowOf, useIntakeWorld, world } from "./intake-world.ts";
import { ledger, posted } from "./others.ts";
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

type Offer = Result<typeof listLineOffers>["rows"][number];
const offers: Offer[] = [];
const released: string[] = [];
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
    if (!found || released.includes(line)) throw new Problem("not_found", "The line is not offered.");
    return found;
  }),
  answer(getStatementLine, async ({ line }) => lineOf(line)),
  answer(claimLine, async ({ line }) => lineOf(line)),
  answer(releaseLine, async ({ line }) => {
    released.push(line);
    return {};
  }),
];
await serveRequests(world.others, { service: "statements", log: world.log, requests: statements }).start();

function lineOf(line: string) {
  const found = offers.find((offer) => offer.line === line);
  if (!found) throw new Problem("not_found", "There is no such line.");
  const own = { account: "1234567890", booked_on: "2026-11-21", narration: "NIP", references: [] };
  return { ...found, ...own, amount: AMOUNT, is_matched: false, paid_at: null };
}

const recovery = () => world.others.request(getRecovery.accounts, {});
const isAt = (step: string) =>
  until(`accounts is at ${step}`, async () => (await recovery()).recovery?.step?.includes(step));
/** It goes back six minutes before the time that it is given. */
const startRecovering = () =>
  world.others.request(startRecovery.accounts, { restored_to: instantOf(new Date(Date.now() + 6 * 60_000)) });
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

/** As if the ledger had read everything: here nothing reads it. */
const consumeAll = () =>
  Promise.allSettled(
    [transferReceived, transferUnallocated].map((event) =>
      world.others.manager.consumers.delete(streamName("accounts", "live"), durableName(event, "ledger", "live")),
    ),
  );
const recover = () => consumeAll().then(startRecovering).then(untilCaughtUp);
const OFFERED_AT = "2026-11-21T09:30:00.000+00:00";
const AMOUNT = 250_073n;
/** One that stands in statements, and the session of its line. */
function anOffer(line: string, given: Partial<Offer> = {}) {
  const session_id = `0000140000132611210930${line.padStart(8, "0")}`;
  const offer = { line, bank: "729", bank_transfer_id: `OFFERED-${line}`, session_id, offered_at: OFFERED_AT };
  const made = { ...offer, amount: AMOUNT, ...given };
  offers.push(made);
  const ids = { bank: "729", mode: "live" as const, bankTransferId: offer.bank_transfer_id };
  return { ...made, session_id, intakeId: intakeIdOf("k".repeat(32), ids) };
}
const withdraw = ({ line, bank_transfer_id }: Pick<Offer, "line" | "bank_transfer_id">) =>
  codeOf(world.others.request(withdrawMissedTransfer, { line, bank_transfer_id, reason: "a digit was wrong" }));
const statusOf = async (...given: Parameters<typeof aReport>) => (await report(world, aReport(...given))).body.status;

test("an offer that was credited before a restore, or may be, is not withdrawn, and its session is not credited by a late report", async () => {
  const { accountNumber } = await aLiveAccount();
  const [booked, dead, unknown] = [anOffer("31"), anOffer("32"), anOffer("33", { amount: undefined })];
  const unanswered = anOffer("34");
  posted.set(booked.intakeId, String(AMOUNT));
  posted.set(dead.intakeId, null);
  // Of statements of the release before.
  posted.set(unknown.intakeId, "1");
  ledger.isAway = true;
  await recover();
  expect(await withdraw(unanswered)).toBe("conflict");
  offers.splice(0, offers.length, booked, dead, unknown);
  await world.owner.query("delete from line_offers");
  ledger.isAway = false;
  await recover();
  for (const { session_id } of [booked, dead, unknown])
    expect(await statusOf(accountNumber, { session_id })).toBe("quarantined");
  for (const offer of [booked, dead, unknown]) expect(await withdraw(offer)).toBe("conflict");
  // The offer's own id is credited, if it was not.
  const own = { session_id: booked.session_id, id: booked.bank_transfer_id };
  expect(await statusOf(accountNumber, own)).toBe("accepted");
});

test("an offer of which nothing was credited before a restore is withdrawn without being repeated, and its session is free", async () => {
  const { accountNumber } = await aLiveAccount();
  const [lost, others] = [anOffer("41"), anOffer("42")];
  // The bank itself reported another transfer under this id, so the offer was in quarantine.
  posted.set(others.intakeId, "9900");
  await recover();
  for (const offer of [lost, others]) {
    expect(await statusOf(accountNumber, { session_id: offer.session_id })).toBe("quarantined");
    expect(await Promise.all([withdraw(offer), withdraw(offer)])).toContain("done");
    expect(await withdraw(offer)).toBe("not_found");
    expect(await statusOf(accountNumber, { session_id: offer.session_id })).toBe("accepted");
  }
});

test("an offer that was withdrawn by an act that died before a restore has no session, and its line is released", async () => {
  const { accountNumber } = await aLiveAccount();
  const dead = anOffer("51");
  const withdrawn = "insert into line_offers (line, offered_at, is_withdrawn) values ($1, $2, true)";
  await world.owner.query(withdrawn, [dead.line, dead.offered_at]);
  await recover();
  expect(released).toContain(dead.line);
  expect(await statusOf(accountNumber, { session_id: dead.session_id })).toBe("accepted");
});

test("an offer that its act credits once accounts has caught up is not withdrawn any more", async () => {
  const { accountNumber } = await aLiveAccount();
  const open = anOffer("61");
  await recover();
  const offering = world.others.request(reportMissedTransfer, {
    ...{ line: open.line, bank_transfer_id: open.bank_transfer_id, account_number: accountNumber },
    ...{ amount: String(AMOUNT), payer_name: "CHIDI EZE", paid_at: OFFERED_AT },
  });
  const [offered, withdrawn] = await Promise.all([codeOf(offering), withdraw(open)]);
  expect([offered, withdrawn].toSorted()).toEqual(["conflict", "done"]);
  expect(Boolean(await rowOf(open.bank_transfer_id))).toBe(offered === "done");
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
  await consumeAll();
  await untilCaughtUp();
  expect(await rowOf(transfer.id)).toMatchObject({ merchant_id: merchant.id, allocated_at: expect.any(String) });
  expect(await allocate(other.merchant)).toBe("conflict");
});
