import {
  claimLine,
  claimReturn,
  getLineOffer,
  getStatementLine,
  listLineOffers,
  listOffers,
  matchByHand,
  type Problem,
  releaseReturn,
  showDay,
  withdrawStatement,
} from "@collect/contracts";
import { beforeAll, expect, test } from "vitest";
import { ACCOUNT, aDay, camtOf } from "./files.ts";
import { BANK } from "./month.ts";
import { useStatements } from "./world.ts";

const world = await useStatements();
const { others, known, owner, refresh } = world;
const DAY = "2026-10-05";
const PAYEE = "0123456789";

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    ({ code, detail }: Problem) => `${code}: ${detail}`,
  );
const lineOf = async (narration: string): Promise<string> =>
  (await owner.query("select id::text from lines where narration = $1", [narration])).rows[0].id;
const at = (hour: number) => `${DAY}T${String(hour).padStart(2, "0")}:00:00.000+00:00`;

type Payout = (typeof known.payouts)[number];
const order = {
  ...{ merchant_reference: "p", bank_code: "058", bank_name: "B", account_number: PAYEE, account_name: "P" },
  ...{ narration: null, created_at: at(8) },
};
const paid = (transfer_id: string, amount: string): Payout => ({
  ...{ transfer_id, merchant: { id: "mer_1", mode: "live" }, amount, order },
  ...{ outcome: "success", completed_at: at(9), reversed_at: null },
});
/** payments has it as reversed from now on. */
async function reverse(transfer_id: string): Promise<void> {
  known.payouts = known.payouts.map((payout) =>
    payout.transfer_id === transfer_id ? { ...payout, outcome: "reversed", reversed_at: at(18) } : payout,
  );
  await refresh();
}
const claim = async (narration: string, reference: string, amount: string, account_number = PAYEE) =>
  codeOf(others.request(claimReturn, { line: await lineOf(narration), reference, amount, account_number }));
const matched = async (narration: string) =>
  (
    await owner.query(
      "select key, evidence from lines join movements using (match_id) join matches on matches.id = match_id where narration = $1",
      [narration],
    )
  ).rows;

beforeAll(async () => {
  await world.declareAccount();
  await world.declareAccount({ number: "7777777777", bank: "other", pays_out: false });
  known.payouts = [1, 2, 3, 4].map((n) => paid(`trf_000000000000000${n}`, n === 4 ? "70" : "40"));
  const out = known.payouts.map(({ transfer_id, amount }) => ({
    ...{ amount: -BigInt(amount), references: [transfer_id], narration: `OUT ${transfer_id}` },
  }));
  const back = ["BACK 1", "BACK 2", "BACK 3"].map((narration) => ({ amount: 40n, narration }));
  const others = [
    { amount: 70n, narration: "BACK 4" },
    { amount: 41n, narration: "MORE" },
  ];
  await world.importFile(new TextEncoder().encode(camtOf([aDay(DAY, 1_000n, [...out, ...back, ...others])])));
  await refresh();
});

const [FIRST, SECOND, THIRD, FOURTH] = [1, 2, 3, 4].map((n) => `trf_000000000000000${n}`) as [
  string,
  string,
  string,
  string,
];

test("a line is kept for one payout, whose return it is matched with, and is nothing else", async () => {
  expect(await claim("BACK 1", FIRST, "41")).toMatch(/^validation_failed/);
  expect(await claim("MORE", FIRST, "40")).toMatch(/^validation_failed/);
  expect(await claim(`OUT ${FIRST}`, FIRST, "40")).toMatch(/^conflict: The line is matched/);
  expect(
    await codeOf(others.request(claimReturn, { line: "1", reference: FIRST, amount: "40", account_number: PAYEE })),
  ).toMatch(/^not_found/);
  expect(await Promise.all([claim("BACK 1", FIRST, "40"), claim("BACK 1", FIRST, "40")])).toEqual(["done", "done"]);
  expect(await claim("BACK 1", SECOND, "40")).toBe(
    `conflict: The line is claimed as the return of the payout ${FIRST}.`,
  );
  expect(await claim("BACK 2", FIRST, "40")).toMatch(/^conflict: The line \d+ is claimed as the return of this payout/);
  const offer = { line: await lineOf("BACK 1"), bank_transfer_id: "B", account_number: PAYEE, amount: "40" };
  expect(await codeOf(others.request(claimLine, offer))).toBe(
    `conflict: The line is claimed as the return of the payout ${FIRST}.`,
  );
  expect(await codeOf(others.request(claimLine, { ...offer, bank_transfer_id: FIRST }))).toMatch(/^conflict/);
  expect(await codeOf(others.request(getLineOffer, { line: offer.line, bank_transfer_id: FIRST }))).toMatch(
    /^not_found/,
  );
  expect(await codeOf(others.request(withdrawStatement, { account: ACCOUNT, from: DAY, reason: "mistaken" }))).toMatch(
    /^conflict: A line of it was offered/,
  );
  expect(await matched("BACK 1")).toEqual([]);
  await reverse(FIRST);
  expect(await matched("BACK 1")).toEqual([{ key: `${FIRST}:reversed`, evidence: "reference" }]);
  expect(await claim("BACK 1", FIRST, "40")).toBe("done");
  expect((await others.request(listLineOffers, { after: null })).rows).toEqual([]);
  expect(await others.request(getStatementLine, { line: offer.line })).toMatchObject({
    offer: { is_return: true, bank_transfer_id: FIRST },
  });
  expect((await others.request(listOffers, { day: DAY })).data).toMatchObject([
    { line: offer.line, is_return: true, is_matched: true },
  ]);
});

test("of two payouts at once one gets the line, and of two lines at once the payout gets one", async () => {
  const acts = await Promise.all([claim("BACK 2", SECOND, "40"), claim("BACK 2", THIRD, "40")]);
  expect(acts.filter((act) => act === "done")).toHaveLength(1);
  const [has, lacks] = acts[0] === "done" ? [SECOND, THIRD] : [THIRD, SECOND];
  expect(await claim("BACK 3", has, "40")).toMatch(/^conflict/);
  // payments has decided that it is not this one.
  const line = await lineOf("BACK 2");
  await others.request(releaseReturn, { line, reference: lacks });
  expect(await claim("BACK 2", lacks, "40")).toMatch(/^conflict/);
  for (let twice = 0; twice < 2; twice++) await others.request(releaseReturn, { line, reference: has });
  expect((await Promise.all([claim("BACK 2", lacks, "40"), claim("BACK 3", lacks, "40")])).toSorted()[1]).toBe("done");
  await owner.query("delete from offers where bank_transfer_id = $1", [lacks]);
});

test("what is offered as a transfer returns no payout", async () => {
  const line = await lineOf("MORE");
  await others.request(claimLine, { line, bank_transfer_id: "M", account_number: PAYEE, amount: "41" });
  const given = { line, reference: SECOND, amount: "41", account_number: PAYEE };
  expect(await codeOf(others.request(claimReturn, given))).toBe(
    "conflict: The line was offered as a transfer, under M.",
  );
  await others.request(releaseReturn, { line, reference: "M" });
  expect((await others.request(listLineOffers, { after: null })).rows).toMatchObject([{ line, bank_transfer_id: "M" }]);
});

test("a return that our books have takes its own line, and no second one is claimed", async () => {
  // The bank reported it: nothing but the amount says which line it is, and the days are not covered yet.
  await owner.query(
    "update lines set session_id = '000023211018133747005000003198' where narration in ('BACK 2', 'BACK 3')",
  );
  known.payouts = known.payouts.map((payout) =>
    payout.transfer_id === SECOND ? { ...payout, session_id: "000023211018133747005000003199" } : payout,
  );
  await reverse(SECOND);
  const hand = `conflict: Our books have this return: match the line by hand with ${SECOND}:reversed, if it is that.`;
  expect(await claim("BACK 2", SECOND, "40")).toBe(hand);
  expect(await claim("BACK 2", THIRD, "40")).toBe(hand);
  await others.request(matchByHand, { lines: [await lineOf("BACK 2")], movements: [`${SECOND}:reversed`] });
  expect(await claim("BACK 3", SECOND, "40")).toBe(hand);
  expect(await claim("BACK 3", THIRD, "40")).toBe("done");
  await reverse(THIRD);
  expect(await matched("BACK 3")).toMatchObject([{ key: `${THIRD}:reversed` }]);
});

test("a line of an account that does not pay out returns nothing; one of the account that does is no difference any more", async () => {
  await owner.query("update bank_accounts set pays_out = false where number = $1", [ACCOUNT]);
  expect(await claim("BACK 4", FOURTH, "70")).toBe("conflict: The line is not of an account that pays out.");
  // Payouts of one partner leave from it.
  await owner.query("update bank_accounts set payouts_of = bank where number = $1", [ACCOUNT]);
  const line = `line:${await lineOf("BACK 4")}`;
  const items = async () => (await others.request(showDay, { day: DAY })).items.map(({ key }) => key);
  expect(await items()).toContain(line);
  expect(await claim("BACK 4", FOURTH, "70")).toBe("done");
  await owner.query("update bank_accounts set pays_out = true where number = $1", [ACCOUNT]);
  await reverse(FOURTH);
  expect(await items()).not.toContain(line);
});

test("a line with the session of what a customer was credited with returns no payout, unless the payout went there", async () => {
  const [later, sessionId, fifth] = ["2026-10-06", "000023211018133747005000003191", "trf_0000000000000005"];
  const stamp = `${later}T10:00:00.000+00:00`;
  const credited = { intake_id: "int_1", bank: BANK, bank_transfer_id: "C", amount: "90", session_id: sessionId };
  known.incoming = [{ ...credited, paid_at: stamp, received_at: stamp }];
  known.payouts = [...known.payouts, { ...paid(fifth, "90"), completed_at: stamp }];
  // The bank has booked the credit twice.
  const credit = { amount: 90n, sessionId, references: [] };
  const lines = [
    { amount: -90n, references: [fifth], narration: "OUT" },
    { ...credit, narration: `NIP ${sessionId} 1` },
    { ...credit, narration: `NIP ${sessionId} 2` },
  ];
  await world.importFile(new TextEncoder().encode(camtOf([aDay(later, 1_041n, lines)])));
  await refresh();
  const open = "select narration from lines where session_id = $1 and match_id is null";
  const [{ narration }] = (await owner.query(open, [sessionId])).rows;
  expect(await claim(narration, fifth, "90")).toBe(
    "conflict: The line has the session of int_1, which a customer was credited with.",
  );
  await owner.query("update movements set session_id = $1 where key = $2", [sessionId, fifth]);
  expect(await claim(narration, fifth, "90")).toBe("done");
});
