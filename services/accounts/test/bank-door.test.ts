import {
  allocateTransfer,
  choosePartner,
  countInboundExceptions,
  issueCollectionAccount,
  listExceptions,
  Problem,
  suspensePosted,
} from "@collect/contracts";
import { readMetrics } from "@collect/telemetry";
import { until } from "@collect/testing";
import { beforeEach, expect, test } from "vitest";
import { playLedger } from "./others.ts";
import { aLiveMerchant, hint, issueTo, OWN, rowsReported, startWithPartner } from "./partners-world.ts";
import { aReport, report } from "./world.ts";

const { partner, lines, world } = await startWithPartner();
await playLedger(world);

beforeEach(() => {
  partner.confirmed.length = 0;
  lines.length = 0;
  partner.respond = async (given) => given;
});

/** How many reports had this outcome so far, at all doors. */
async function count(outcome: "rejected" | "unreadable"): Promise<number> {
  const { text } = await readMetrics();
  const samples = text.matchAll(new RegExp(`bank_reports_total\\{[^}]*outcome="${outcome}"[^}]*\\} (\\d+)`, "g"));
  return [...samples].reduce((total, [, value]) => total + Number(value), 0);
}
const rowsOf = (id: string) => rowsReported(world, id);
async function aCustomer(reference = "cust_1") {
  const merchant = aLiveMerchant();
  const { account } = await issueTo(world, merchant, reference);
  return { merchant, account: account.account_number };
}

test("a report is credited once the bank has confirmed it, and answered in the partner's words", async () => {
  const { merchant, account } = await aCustomer();
  expect(await hint(world, { id: "s-1", account, kobo: 5_000 })).toEqual({
    status: 200,
    body: { code: "00", id: "s-1" },
  });
  expect(partner.confirmed).toHaveLength(1);
  expect(await rowsOf("s-1")).toMatchObject([{ bank: "hinting", amount: 5_000n, merchant_id: merchant.id }]);
  expect((await hint(world, { id: "s-1", account, kobo: 5_000 })).body.code).toBe("01");
  expect(await rowsOf("s-1")).toHaveLength(1);
});

test("a body that differs from the confirmation is credited by the bank's values, and logged without them", async () => {
  const [victim, other] = [await aCustomer(), await aCustomer()];
  partner.respond = async (given) => ({ ...given, amount: 700n, accountNumber: victim.account });
  expect((await hint(world, { id: "s-2", account: other.account, kobo: 9_999_999 })).body.code).toBe("00");
  expect(await rowsOf("s-2")).toMatchObject([{ amount: 700n, merchant_id: victim.merchant.id }]);
  const [line = ""] = lines.filter((each) => each.includes("report_differs"));
  expect(line).toContain('"fields":["accountNumber","amount"]');
  expect(line).not.toContain("9999999");
});

test.each([
  ["does not know the transfer", async () => undefined],
  ["times out", () => Promise.reject(new Problem("provider_timeout", "The bank did not respond."))],
  ["fails", () => Promise.reject(new Problem("provider_error", "The bank failed."))],
  [
    "answers about another transfer",
    async (given: object) => ({ ...(given as typeof partner.confirmed)[0], id: "other" }),
  ],
  ["fails in an unexpected way", () => Promise.reject(new TypeError("undefined is not a function"))],
])("a report is not credited, and repeated by the partner, if the bank %s", async (_case, respond) => {
  const { account } = await aCustomer();
  const id = `s-${crypto.randomUUID()}`;
  partner.respond = respond as typeof partner.respond;
  expect(await hint(world, { id, account, kobo: 5_000 })).toEqual({ status: 200, body: { code: "03", id } });
  expect(await rowsOf(id)).toEqual([]);
  expect(await rowsOf("other")).toEqual([]);
  partner.respond = async (given) => given;
  expect((await hint(world, { id, account, kobo: 5_000 })).body.code).toBe("00");
});

test("a report with a wrong signature, or that cannot be parsed, is rejected in the partner's words without asking the bank", async () => {
  const { account } = await aCustomer();
  expect((await hint(world, { id: "s-3", account, kobo: 5_000 }, "constant-signaturf")).body).toEqual({
    code: "02",
    id: null,
  });
  expect((await hint(world, { id: "s-3", account })).body.code).toBe("02");
  expect((await hint(world, "{")).body.code).toBe("02");
  expect(partner.confirmed).toEqual([]);
  expect(await rowsOf("s-3")).toEqual([]);
});

test("a signed report that cannot be read is counted apart, and the log names its request and fields and nothing that it has", async () => {
  const [rejected, unreadable] = [await count("rejected"), await count("unreadable")];
  expect((await hint(world, { id: "s-5", account: "Ngozi Eze" })).body.code).toBe("02");
  expect((await hint(world, "Ngozi Eze {")).body.code).toBe("02");
  expect((await report(world, "Ngozi Eze {")).status).toBe(400);
  expect([await count("rejected"), await count("unreadable")]).toEqual([rejected, unreadable + 3]);
  const found = lines.filter((each) => each.includes("a signed report could not be read"));
  expect(found).toHaveLength(3);
  expect(found[0]).toContain('"fields":["kobo"]');
  for (const line of found) expect(line).toMatch(/"partner":"(hinting|729)".*"request_id":"/);
  expect(lines.join()).not.toContain("Ngozi");
});

test("a report that is not authentic is counted as rejected, and the log has the reason, also where the partner reads our problem documents", async () => {
  const [rejected, unreadable] = [await count("rejected"), await count("unreadable")];
  expect((await hint(world, "{}", "constant-signaturf")).body.code).toBe("02");
  expect((await report(world, aReport("0000000000"), "00")).status).toBe(401);
  expect([await count("rejected"), await count("unreadable")]).toEqual([rejected + 2, unreadable]);
  const found = lines.filter((each) => each.includes("a report was not taken"));
  expect(found.map((line) => /"partner":"(\w+)"/.exec(line)?.[1])).toEqual(["hinting", "729"]);
  for (const line of found) expect(line).toContain("invalid_signature");
});

test.each([
  ["too large", { body: "x".repeat(33_000) }],
  ["compressed", { body: "{}", headers: { "content-encoding": "gzip" } }],
])("a body that is %s is refused in the partner's words", async (_case, request) => {
  const url = new URL("/bank/hinting", world.doorUrl);
  const response = await fetch(url, { method: "POST", ...request });
  expect([response.status, await response.json()]).toEqual([200, { code: "02", id: null }]);
});

test("a report that concerns no money of ours is taken without a row", async () => {
  expect((await hint(world, "no money")).body).toEqual({ code: "00", id: null });
  expect(partner.confirmed).toEqual([]);
});

test("each partner has its own door: one cannot report through another's, and our own answers as before", async () => {
  const { account } = await aCustomer();
  expect((await report(world, aReport(account, { id: "s-4" }), "00")).status).toBe(401);
  expect((await report(world, aReport(account, { id: "s-4" }))).body).toEqual({ id: "s-4", status: "unallocated" });
  expect(await rowsOf("s-4")).toMatchObject([{ bank: "729", merchant_id: null }]);
  const { unallocated } = await world.others.request(listExceptions, {});
  expect(unallocated.find(({ account_number }) => account_number === account)).toMatchObject({ bank: "729" });
  // The same id at another bank is another transfer.
  expect((await hint(world, { id: "s-4", account, kobo: 5_000 })).body.code).toBe("00");
  expect(await rowsOf("s-4")).toHaveLength(2);
});

/** The merchant's account at the bank of our own protocol, as an earlier release stored it. */
async function anAccountAtOwn(merchant: ReturnType<typeof aLiveMerchant>): Promise<string> {
  await world.others.request(choosePartner, { merchant_id: merchant.id, partner: OWN.id });
  const { account_number } = await world.others.request(issueCollectionAccount, { merchant, position: 1 });
  await world.owner.query("alter table collection_accounts disable trigger collection_accounts_partner");
  await world.owner.query("update collection_accounts set partner = null where merchant_id = $1", [merchant.id]);
  await world.owner.query("alter table collection_accounts enable trigger collection_accounts_partner");
  return account_number;
}

/** The intake id of unallocated money, once it is in suspense. */
async function suspended(id: string): Promise<string> {
  const [row] = await rowsOf(id);
  const fact = { intakeId: row.intake_id, mode: "live" as const, amount: row.amount, transactionId: "1" };
  await world.others.publish(suspensePosted, [{ ...fact, postedAt: row.received_at }]);
  await until("it is in suspense", async () => (await rowsOf(id))[0].completed_at);
  return row.intake_id;
}

test("another bank's money for the same digits is neither shown to their owner nor allocated to it by the number", async () => {
  const next = String(Number(await anAccountAtOwn(aLiveMerchant())) + 1).padStart(10, "0");
  expect((await report(world, aReport(next, { id: "d-1" }))).body.status).toBe("unallocated");
  const merchant = aLiveMerchant();
  expect(await anAccountAtOwn(merchant)).toBe(next);
  const scope = { merchant: { id: merchant.id, mode: "live" as const } };
  const shown = async () => (await world.others.request(countInboundExceptions, scope)).quarantined;
  const allocate = (intake_id: string) =>
    world.others
      .request(allocateTransfer, { intake_id, ...scope })
      .then(({ allocated }) => allocated)
      .catch((error) => error.code);

  expect((await hint(world, { id: "d-2", account: next, kobo: 5_000 })).body.code).toBe("00");
  expect((await hint(world, { id: "d-2", account: next, kobo: 6_000 })).body.code).toBe("00");
  expect(await shown()).toBe(0);
  expect(await allocate(await suspended("d-2"))).toBe("conflict");
  // Its own bank's is.
  expect((await report(world, aReport(next, { id: "d-1", amount: 1 }))).body.status).toBe("quarantined");
  expect(await shown()).toBe(1);
  expect(await allocate(await suspended("d-1"))).toBe(true);
});

test("a partner that does not confirm in time has a bounded number of reports in progress, and delays no other", async () => {
  const { account } = await aCustomer();
  const hanging = Promise.withResolvers<undefined>();
  partner.respond = () => hanging.promise;
  const waiting = Array.from({ length: 40 }, (_, n) => hint(world, { id: `h-${n}`, account, kobo: 5_000 }));
  await until("its slots are taken", () => partner.confirmed.length === 32);
  expect((await report(world, aReport(account))).status).toBe(200);
  expect(partner.confirmed).toHaveLength(32);
  hanging.resolve(undefined);
  const answers = await Promise.all(waiting);
  expect(new Set(answers.map(({ body }) => body.code))).toEqual(new Set(["03"]));
  expect(partner.confirmed).toHaveLength(40);
});
