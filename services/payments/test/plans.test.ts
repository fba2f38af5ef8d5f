import { type Pool, transaction } from "@collect/database";
import { usePlans, useWorld } from "@collect/testing";
import { expect, test } from "vitest";
import { type Sought, soughtOf } from "../src/domain/sought.ts";
import { claimDueAttachments, unpaidSessionsAround } from "../src/inbound/store/attachments.ts";
import { brandingsOf, findLogo } from "../src/inbound/store/business-profiles.ts";
import { findCandidates } from "../src/inbound/store/candidates.ts";
import { attachedFactsOf } from "../src/inbound/store/collection-facts.ts";
import {
  type CollectionFilter,
  findCollection,
  listCollections,
  readListedCollections,
  sumCollections,
  sumDays,
} from "../src/inbound/store/collection-lists.ts";
import { type NewSession, tryToCreate, tryToCreatePublic } from "../src/inbound/store/create-session.ts";
import { pageOfDue, releaseLapsedSlots } from "../src/inbound/store/due-sessions.ts";
import { findPayable } from "../src/inbound/store/payable-sessions.ts";
import { listPayers } from "../src/inbound/store/payer-lists.ts";
import { type LinkFilter, listLinks } from "../src/inbound/store/payment-link-lists.ts";
import { findLinkOf, findLinkSession } from "../src/inbound/store/payment-links.ts";
import {
  findCollections,
  findLinks,
  findPayers,
  findSessions,
  searchCollections,
  searchLinks,
  searchPayers,
  searchSessions,
} from "../src/inbound/store/search.ts";
import { listSessions, type SessionFilter, sumSessions } from "../src/inbound/store/session-lists.ts";
import {
  findOpenedPayment,
  findPaymentOf,
  findPaymentsOf,
  lockSessions,
  readSessionsOf,
} from "../src/inbound/store/sessions.ts";
import { releaseSlots, takeOverSlot, takeSlot } from "../src/inbound/store/slots.ts";
import { findRepeats } from "../src/outbound/store/batch-lines.ts";
import { findPayoutOfLine } from "../src/outbound/store/payouts-of-lines.ts";
import { findTransfers, searchTransfers } from "../src/outbound/store/search.ts";
import { findBatch } from "../src/outbound/store/transfer-batches.ts";
import { listTransfers, sumTransfers, type TransferFilter } from "../src/outbound/store/transfer-lists.ts";
import { findTransferOf } from "../src/outbound/store/transfers.ts";
import { openPrisma } from "../src/store/prisma.ts";
import { fillTables } from "./full-tables.ts";
import { aSession } from "./inbound/a-session.ts";
import { directory } from "./inbound/sessions-world.ts";

const world = await useWorld({ service: "payments", directory });
/** As what moves money has it. */
const pool = usePlans(world, { service: "payments" });
/** As people's lists have it. */
const lists = usePlans(world, { service: "payments", settings: [] });
const prisma = openPrisma(lists);

const merchant = { id: "mer_1", mode: "test" as const };
const [accountNumber, amountRequested, mode] = ["9000000001", 100_000n, "test" as const];
const [now, slotPauseS] = [new Date().toISOString(), 600];
const at = { paidAt: now, receivedAt: now };
const account = { accountNumber, accountName: "Ada Stores / Ada Obi", bankName: "Test Bank" };
const aDraft = (given: Partial<NewSession>): NewSession => ({
  ...aSession({ amountRequested, reference: `pay_${Math.random()}`, merchantReference: "order-1" }),
  account: undefined,
  linkKey: null,
  amountLimit: 500_000_000n,
  amountMax: 500_000_000n,
  expiryS: 1_800,
  watchS: 7_200,
  slotPauseS,
  start: 0,
  mayCreate: true,
  client: null,
  shareMax: 99,
  ...given,
});

const aSlotRequest = {
  ...{ payerName: "Ada Obi", payerEmail: "ada@example.com" },
  ...{ expiryS: 1_800, watchS: 1_800, slotPauseS, start: 0 },
  ...{ client: null, shareMax: 99 },
};

const page = { from: undefined, before: new Date("9999-12-31T23:59:59.999Z"), key: "", limit: 51 };
const collections = (given: Partial<CollectionFilter>) => {
  const filter = { customerReference: undefined, payerId: undefined, search: undefined, ...given };
  return listCollections(prisma, merchant, { page, filter });
};
const sessions = (given: Partial<SessionFilter>) => {
  const filter = { status: undefined, customerReference: undefined, paymentLink: undefined, search: undefined };
  return listSessions(prisma, merchant, { page, filter: { ...filter, ...given } });
};
const transfers = (filter: TransferFilter) => listTransfers(prisma, merchant, { page, filter });
const links = (filter: LinkFilter) => listLinks(lists, merchant, { filter, after: [], limit: 51 });

const soughtFor = (text: string) => soughtOf(text) as Sought;
const EVER = { from: undefined, before: undefined };

/** What looks rows up where money moves, by its name. */
const LOOKUPS: Record<string, () => Promise<unknown>> = {
  "creating in the pool": () => tryToCreate(pool, aDraft({})),
  "creating for a customer": () =>
    tryToCreate(pool, aDraft({ customerReference: "cust_1", detailsRequired: false, account })),
  "creating with a public key": () => tryToCreatePublic(pool, aDraft({ clientNonce: "a nonce of this page" })),
  "taking a slot": () => takeSlot(pool, { ...aSession({ amountRequested }), lockedAt: now }, aSlotRequest),
  "taking a slot as a client": () =>
    takeSlot(pool, { ...aSession({ amountRequested }), lockedAt: now }, { ...aSlotRequest, client: "tag" }),
  "creating through a link": () => tryToCreate(pool, aDraft({ openedBy: "payment_link", client: "tag" })),
  "releasing slots": () => releaseSlots(pool, { mode, accounts: [accountNumber], amountRequested }),
  "taking over a slot": () => takeOverSlot(pool, { mode, accountNumber, amountRequested, slotPauseS }),
  matching: () =>
    findCandidates(pool, [{ intakeId: "int_1", merchant, accountNumber, customer: {}, amount: 100_001n, ...at }], {
      toleranceMs: 120_000,
    }),
  reading: () => findPaymentOf(pool, merchant, "pay_7"),
  "reading by an order": () => findOpenedPayment(pool, merchant, "known-7"),
  "reading many": () => readSessionsOf(pool, ["pay_7", "pay_8"]),
  "reading brandings": () => brandingsOf(pool, ["mer_7", "mer_8"]),
  locking: () => transaction(pool, (tx) => lockSessions(tx, ["pay_7", "pay_8"])),
  "finding by reference": () => findPayable(pool, merchant, { reference: "pay_7" }),
  "finding by account": () => findPayable(pool, merchant, { account_number: accountNumber, to_expire: true }),
  "finding by amount": () => findPayable(pool, merchant, { amount: 100_001n }),
  "reading due sessions": () => pageOfDue(pool, { graceMs: 0, after: undefined, pageMax: 500 }),
  "sweeping slots": () => releaseLapsedSlots(pool, 500),
  "finding what a file of transfers repeats": () =>
    findRepeats(pool, { reference: "bat_7", merchantId: merchant.id, mode }),
  "finding the transfer of an order": () => findTransferOf(pool, merchant, "order-7"),
  "reading a file of transfers": () => findBatch(pool, merchant, "bat_7"),
  "claiming attached collections": () => claimDueAttachments(pool, { mode, limit: 100 }),
  "reading attached collections": () => attachedFactsOf(pool, ["int_7", "int_8"]),
  "finding what a link opened": () => findLinkSession(pool, { slug: "link000007", key: "7" }),
};

/** What people look at. */
const LISTS: Record<string, () => Promise<unknown>> = {
  "listing collections": () => collections({}),
  "listing a customer's": () => collections({ customerReference: "cust_7" }),
  "listing a payer's": () => collections({ payerId: "7" }),
  "listing unmatched collections": () => collections({ isUnmatched: true }),
  "listing collections that were taken back": () => collections({ isTakenBack: true }),
  "listing collections of an account": () => collections({ accountNumber: "9000000007" }),
  "listing collections of a session": () => collections({ paymentReference: "pay_7" }),
  "listing collections of an order": () => collections({ merchantReference: "order-7" }),
  "listing collections of an amount": () => collections({ amount: 777n }),
  "listing collections of a range of amounts": () => collections({ amountFrom: 700n, amountTo: 800n }),
  "listing collections from an amount": () => collections({ amountFrom: 101n }),
  "listing collections up to an amount that most have": () => collections({ amountTo: 100n }),
  "listing selected collections": () => collections({ references: ["col_7", "col_8"] }),
  "summing few collections": () =>
    sumCollections(prisma, merchant, {
      span: EVER,
      filter: { accountNumber: "9000000007" },
    }),
  "finding collections": () => searchCollections(lists, merchant, soughtFor("9000000007")),
  "listing collections that were found": () => collections({ searched: ["int_7", "int_8"] }),
  "finding one collection": () => findCollection(prisma, merchant, "col_7"),
  "reading collections": () => readListedCollections(prisma, merchant, ["int_7", "int_8"]),
  "summing a day": () => sumDays(lists, [merchant.id, merchant.mode, "2026-11-21", "2026-11-21"]),
  "listing payers": () => listPayers(lists, merchant, { limit: 51, after: "15000" }),
  "finding payers": () => searchPayers(lists, merchant, soughtFor("payer 21")),
  "listing payers that were found": () => listPayers(lists, merchant, { limit: 51, searched: ["7", "8"] }),
  "listing sessions": () => sessions({}),
  "listing sessions of a status": () => sessions({ status: "overpaid" }),
  "listing sessions paid twice": () => sessions({ isPaidTwice: true }),
  "sessions around a time": () => unpaidSessionsAround(lists, merchant, now),
  "listing a customer's sessions": () => sessions({ customerReference: "cust_7" }),
  "listing sessions of a link": () => sessions({ paymentLink: "link000007" }),
  "listing sessions of an order": () => sessions({ merchantReference: "known-7" }),
  "reading a page of payments": () => findPaymentsOf(lists, merchant, ["pay_7", "pay_8"]),
  "finding a logo": () => findLogo(lists, "0".repeat(64)),
  "finding sessions": () => searchSessions(lists, merchant, soughtFor("known-77")),
  "finding sessions by an amount": () => searchSessions(lists, merchant, soughtFor("1000.50")),
  "listing sessions that were found": () => sessions({ searched: ["pay_7", "pay_8"] }),
  "listing sessions of a range of amounts": () => sessions({ amountFrom: 100_098n, amountTo: 100_098n }),
  "summing few sessions": () => sumSessions(prisma, merchant, { span: EVER, filter: { customerReference: "cust_7" } }),
  "listing transfers": () => transfers({}),
  "listing transfers of a status": () => transfers({ status: "failed" }),
  "listing the transfer of an order": () => transfers({ search: { text: "order-7", references: ["order-7"] } }),
  "finding transfers": () => searchTransfers(lists, merchant, soughtFor("order-77")),
  "listing transfers of a range of amounts": () => transfers({ amountFrom: 777n, amountTo: 778n }),
  "listing transfers to an account": () => transfers({ accountNumber: "0000000007" }),
  "listing transfers of an amount to an account that has none": () =>
    transfers({ accountNumber: "9999999999", bankCode: "058", status: "success", amountFrom: 100n, amountTo: 100n }),
  "summing few transfers": () => sumTransfers(prisma, merchant, { span: EVER, filter: { status: "failed" } }),
  "searching payers": () => findPayers(lists, merchant, soughtFor("obi")),
  "searching sessions": () => findSessions(lists, merchant, soughtFor("known-7")),
  "searching sessions by amount": () => findSessions(lists, merchant, soughtFor("1000.50")),
  "finding the payout of a line": () =>
    findPayoutOfLine(lists, {
      ...{ references: ["trf_7"], sessions: ["000023261122093000000000000001"], accounts: ["0000000007"] },
      ...{ amount: 100n, bookedOn: now.slice(0, 10) },
    }),
  "searching transfers": () => findTransfers(lists, merchant, soughtFor("ada")),
  "searching transfers by a rare amount": () => findTransfers(lists, merchant, soughtFor("777")),
  "searching links by an amount": () => findLinks(lists, merchant, soughtFor("1000.50")),
  "listing links of an amount": () => links({ amountFrom: 100_050n, amountTo: 100_050n }),
  "listing links of an amount that none has": () => links({ amountFrom: 777n, amountTo: 778n }),
  "listing links up to an amount that most have": () => links({ amountTo: 5_000_000n }),
  "finding links by an amount": () => searchLinks(lists, merchant, soughtFor("1000.50")),
  "searching links": () => findLinks(lists, merchant, soughtFor("lamp")),
  "searching collections": () => findCollections(lists, merchant, { ...soughtFor("1"), payers: [], sessions: [] }),
  "listing links": () => links({}),
  "finding a link": () => findLinkOf(lists, merchant, "link000007"),
};

/** Entries of indexes and rows of tables that were read so far. */
async function readSoFar(by: Pool): Promise<number> {
  // What the owner wrote reads rows, too, and would be counted a moment later, with one of the reads.
  for (const each of [by, world.owner]) await each.query("select pg_stat_force_next_flush()");
  const { rows } = await world.owner.query<{ read: number }>(
    `select (select sum(idx_tup_read) from pg_stat_user_indexes)::integer
       + (select sum(seq_tup_read) from pg_stat_user_tables)::integer as read`,
  );
  return rows[0]?.read ?? 0;
}

test("plans made on empty tables read few rows when the tables are full", async () => {
  for (const lookup of Object.values(LOOKUPS)) await lookup();
  await world.owner.query("delete from sessions");
  await fillTables(world.owner);
  await expectFewRowsRead(pool, LOOKUPS);
});

test("lists are planned for what is asked, and read few rows of full tables that have been counted", async () => {
  await world.owner.query("vacuum analyze");
  await expectFewRowsRead(lists, LISTS);
});

async function expectFewRowsRead(by: Pool, reads: Record<string, () => Promise<unknown>>): Promise<void> {
  for (const [name, read] of Object.entries(reads)) {
    const before = await readSoFar(by);
    await read();
    expect((await readSoFar(by)) - before, name).toBeLessThan(600);
  }
}
