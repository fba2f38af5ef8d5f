import { pages } from "@collect/bus";
import {
  claimLine,
  explainDifference,
  getLineOffer,
  getStatementLine,
  listOffers as listDayOffers,
  listLineOffers,
  matchByHand,
  type Problem,
  releaseLine,
  showDay,
} from "@collect/contracts";
import { beforeAll, describe, expect, test } from "vitest";
import { listOffers } from "../src/store/offers.ts";
import { closeDay } from "../src/use-cases/days.ts";
import { aDay, camtOf } from "./files.ts";
import { BANK } from "./month.ts";
import { useStatements } from "./world.ts";

const world = await useStatements();
const { others, known, pool, bus, refresh } = world;

const importDay = (...given: Parameters<typeof aDay>) =>
  world.importFile(new TextEncoder().encode(camtOf([aDay(...given)])));
const show = (day: string) => others.request(showDay, { day });
const close = (day: string) => closeDay({ pool, bus, refresh }, day, "bola");
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    ({ code, detail }: Problem) => `${code}: ${detail}`,
  );

/** A transfer without a session id that accounts reports, and the ledger's new balance at the end of its day. */
function report(id: string, day: string, amount: bigint) {
  const at = `${day}T09:00:00.000+00:00`;
  const row = { intake_id: `int_${id}`, bank_transfer_id: id, bank: BANK, amount: amount.toString() };
  known.incoming.push({ ...row, paid_at: at, received_at: at });
  known.ledger.set(day, ([...known.ledger.values()].at(-1) ?? 0n) + amount);
}

beforeAll(() => world.declareAccount());

describe("a lost notification is not hidden by another transfer of the same amount", () => {
  const lineOf = async (narration: string): Promise<string> =>
    (await world.owner.query("select id::text from lines where narration = $1", [narration])).rows[0].id;

  test("its line waits for the statement of the other one's day, and is closed with a reason", async () => {
    await importDay("2026-10-05", 0n, [{ amount: 60n, narration: "LOST AT THE BANK" }]);
    known.ledger.set("2026-10-05", 0n);
    report("6", "2026-10-06", 60n);
    const { items, blocked_by } = await show("2026-10-05");
    expect(items).toMatchObject([{ class: "bank_only", amount: "60", settled: false }]);
    expect(blocked_by).toBe("Lines of the difference without a reason: 1.");
    const why = { item: items[0]?.key ?? "", amount: "60", reason: "asked the bank" };
    await others.request(explainDifference, { day: "2026-10-05", ...why });
    await close("2026-10-05");
  });
  test("the other one is matched with its own line, and not with that of the closed day", async () => {
    await importDay("2026-10-06", 60n, [{ amount: 60n, narration: "PAID" }]);
    expect(await show("2026-10-06")).toMatchObject({ difference: "0", items_total: 0, blocked_by: null });
    await close("2026-10-06");
    const { rows } = await world.owner.query(
      "select narration from lines join movements using (match_id) where key = 'int_6'",
    );
    expect(rows).toEqual([{ narration: "PAID" }]);
  });
  test("what a day was closed with by the amount gives way to an id, and stops the next day until it is settled", async () => {
    await importDay("2026-10-07", 120n, [{ amount: 80n, narration: "LOST TOO" }]);
    known.ledger.set("2026-10-07", 60n);
    // A reason that the closing does not show, because the line is matched by then, is one that no second person has seen.
    const [lost] = (await show("2026-10-07")).items;
    const why = { item: lost?.key ?? "", amount: "80", reason: "asked the bank" };
    await others.request(explainDifference, { day: "2026-10-07", ...why });
    report("8", "2026-10-08", 80n);
    await importDay("2026-10-08", 200n, []);
    expect((await show("2026-10-07")).items).toMatchObject([{ class: "timing", amount: "80", settled: true }]);
    await close("2026-10-07");
    await importDay("2026-10-09", 200n, [{ amount: 80n, references: ["8"] }]);
    const { blocked_by } = await show("2026-10-08");
    expect(blocked_by).toBe(
      `Of closed days these are in no match any more, or in one with a payout that failed, and have no reason: line:${await lineOf("LOST TOO")}.`,
    );
    expect(await codeOf(close("2026-10-08"))).toBe(`conflict: ${blocked_by}`);
  });
  test("it is offered under one id for ever, and no other line under that id", async () => {
    const [line, other, matched] = await Promise.all(["LOST TOO", "LOST AT THE BANK", "PAID"].map(lineOf));
    const offer = { line: line ?? "", bank_transfer_id: "7", account_number: "0000000017", amount: "80" };
    const claim = (given: object = {}) => others.request(claimLine, { ...offer, ...given });
    expect(await codeOf(claim({ line: "999999" }))).toMatch(/^not_found/);
    for (const amount of ["79", "161"]) expect(await codeOf(claim({ amount }))).toMatch(/^validation_failed/);
    // With what the partner confirms only the line bounds it.
    expect(await codeOf(claim({ amount: "79", is_confirmed: true }))).toMatch(/^validation_failed/);
    expect(await codeOf(claim({ bank_transfer_id: "8" }))).toMatch(/^conflict: The bank has reported this id/);
    expect(await codeOf(claim({ line: matched, amount: "60" }))).toMatch(/^conflict: The line is matched/);
    const claims = await Promise.all([claim(), claim()]);
    const claimed = { bank: BANK, amount: "80", session_id: null, narration: "LOST TOO", paid_at: null };
    for (const each of [...claims, await claim()])
      expect(each).toEqual({ ...claimed, offered_at: claims[0]?.offered_at });
    expect(await codeOf(claim({ bank_transfer_id: "9" }))).toMatch(/^conflict: The line was offered already, under 7/);
    expect(await codeOf(claim({ amount: "81" }))).toMatch(/^conflict: The line was offered already/);
    expect(await codeOf(claim({ line: other, amount: "60" }))).toMatch(/^conflict: Another line was offered/);
  });
  test("once accounts has it, it is matched with its line, also on a closed day", async () => {
    report("7", "2026-10-08", 80n);
    expect(await show("2026-10-08")).toMatchObject({
      ...{ difference: "-160", blocked_by: null },
      settled: [{ class: "timing", items: 2, amount: "-160" }],
    });
    const { rows } = await world.owner.query(
      "select narration from lines join movements using (match_id) where key = 'int_7'",
    );
    expect(rows).toEqual([{ narration: "LOST TOO" }]);
  });
  test("it can be withdrawn and made again, and is not made once its line is matched with a transfer of another id, as after a crash in between", async () => {
    const line = await lineOf("LOST AT THE BANK");
    const offer = { line, bank_transfer_id: "TYPED", account_number: "0000000017", amount: "60" };
    await others.request(claimLine, offer);
    const typed = { line, bank_transfer_id: "TYPED" };
    expect(await codeOf(others.request(getLineOffer, { ...typed, bank_transfer_id: "TRUE" }))).toMatch(/^not_found/);
    const { offered_at } = await others.request(getLineOffer, typed);
    await others.request(releaseLine, { ...typed, offered_at: "2026-10-01T09:00:00.000+00:00" });
    await Promise.all([0, 1].map(() => others.request(releaseLine, { ...typed, offered_at })));
    expect(await codeOf(others.request(getLineOffer, typed))).toMatch(/^not_found/);
    expect(await others.request(claimLine, { ...offer, bank_transfer_id: "RIGHT" })).toMatchObject({ bank: BANK });
    const right = await others.request(getLineOffer, { line, bank_transfer_id: "RIGHT" });
    expect(right.offered_at).not.toBe(offered_at);
    await others.request(releaseLine, { ...typed, bank_transfer_id: "RIGHT", offered_at: right.offered_at });
    await others.request(claimLine, offer);
    report("TRUE", "2026-10-09", 60n);
    await refresh();
    await others.request(matchByHand, { lines: [line], movements: ["int_TRUE"] });
    expect(await codeOf(others.request(claimLine, offer))).toMatch(/^conflict: The line is matched with another/);
    // accounts decides whether it was credited, and withdraws it otherwise.
    const { offered_at: last } = await others.request(getLineOffer, typed);
    expect(await codeOf(others.request(claimLine, { ...offer, bank_transfer_id: "TRUE" }))).toMatch(
      /^conflict: The line was offered already/,
    );
    await others.request(releaseLine, { ...typed, offered_at: last });
    for (const bank_transfer_id of ["TYPED", "THIRD"])
      expect(await codeOf(others.request(claimLine, { ...offer, bank_transfer_id }))).toBe(
        "conflict: The line is matched: the money is with us.",
      );
  });
  test("it stays once its line is matched with the transfer of its own id: that was credited", async () => {
    const line = await lineOf("LOST TOO");
    expect(await codeOf(others.request(getLineOffer, { line, bank_transfer_id: "7" }))).toBe(
      "conflict: The line is matched with the transfer of this id: its offer stays.",
    );
  });
});

test("a day with more lines than fit is shown with those that need a person, and closes if they fit", async () => {
  const many = Array.from({ length: 2_010 }, (_, n) => ({ amount: 1n, references: [`MANY${n}`] }));
  await importDay("2026-10-10", 280n, [...many, { amount: 5n, narration: "UNKNOWN" }]);
  for (let n = 0; n < 2_010; n++) report(`MANY${n}`, "2026-10-11", 1n);
  const sheet = await show("2026-10-10");
  expect(sheet).toMatchObject({ items_total: 2_011, settled: [{ class: "timing", items: 2_010, amount: "2010" }] });
  expect([sheet.items.length, sheet.items[0]?.what]).toEqual([2_000, "UNKNOWN"]);
});

describe("an offer credits nothing that was reported", () => {
  const idOf = async (narration: string): Promise<string> =>
    (await world.owner.query("select id::text from lines where narration = $1 order by id desc limit 1", [narration]))
      .rows[0].id;
  const session = "000014261011120000000000000055";
  const claim = async (narration: string, bank_transfer_id: string, amount: string) =>
    others.request(claimLine, {
      ...{ line: await idOf(narration), bank_transfer_id, account_number: "0000000017", amount },
      intake_id: `int_${bank_transfer_id}`,
    });

  test("repeated after a restore, which lost it, it is taken, and its line is matched with what was credited under it", async () => {
    const twice = { amount: 55n, narration: "BOOKED TWICE", references: [session], sessionId: session };
    await importDay("2026-10-11", 2_295n, [{ amount: 90n, narration: "OFFERED BEFORE" }, twice, twice]);
    // The line names no id, and the amount alone says nothing of a day whose statement is missing.
    report("BEFORE", "2026-10-15", 90n);
    expect(await codeOf(claim("OFFERED BEFORE", "BEFORE", "90"))).toBe("done");
    await refresh();
    const { rows } = await world.owner.query(
      "select narration from lines join movements using (match_id) where key = 'int_BEFORE'",
    );
    expect(rows).toEqual([{ narration: "OFFERED BEFORE" }]);
  });
  test("of a session that was notified it is refused, under whichever id", async () => {
    report("NOTIFIED", "2026-10-16", 55n);
    Object.assign(known.incoming.at(-1) ?? {}, { session_id: session });
    const byHand = "match the line by hand with int_NOTIFIED, and do not offer it under another id.";
    expect(await codeOf(claim("BOOKED TWICE", "TYPED55", "55"))).toBe(
      `conflict: The bank has reported the line's session under another id: ${byHand}`,
    );
    expect(await codeOf(claim("BOOKED TWICE", "NOTIFIED", "55"))).toBe(
      `conflict: The bank has reported this id: ${byHand}`,
    );
  });

  test("of an id that was reported long before the line it is refused", async () => {
    await world.owner.query(`
      alter table movements disable trigger user;
      insert into movements (key, account, amount, occurred_on, booked_on, refs)
        select 'int_LONGAGO', account, 54, booked_on - 90, booked_on - 90, '{LONGAGO}' from lines where narration = 'BOOKED TWICE' limit 1;
      alter table movements enable trigger user`);
    expect(await codeOf(claim("BOOKED TWICE", "LONGAGO", "55"))).toBe(
      "conflict: The bank has reported this id: match the line by hand with int_LONGAGO, and do not offer it under another id.",
    );
  });

  test("all that stand are listed for accounts, which may have lost them, a page at a time", async () => {
    const { rows, next } = await others.request(listLineOffers, { after: null });
    expect(next).toBeNull();
    const known = { bank: BANK, session_id: null, offered_at: expect.any(String) };
    const [lost, before] = [await idOf("LOST TOO"), await idOf("OFFERED BEFORE")];
    expect(rows).toContainEqual({ line: lost, bank_transfer_id: "7", amount: "80", ...known });
    expect(rows.at(-1)).toEqual({ line: before, bank_transfer_id: "BEFORE", amount: "90", ...known });
    const inPages: typeof rows = [];
    for await (const page of pages((after) => listOffers(pool, { after, limit: 1 })))
      inPages.push(...page.map((row) => ({ ...row, amount: row.amount.toString() })));
    expect(inPages).toEqual(rows);
    const credited = { bank_transfer_id: "7", account_number: "0000000017", amount: "80" };
    const offer = { ...credited, offered_at: expect.any(String), is_return: false, is_reversal: false };
    const { data } = await others.request(listDayOffers, {
      day: (await others.request(getStatementLine, { line: lost })).booked_on,
    });
    expect(data).toContainEqual({ line: lost, narration: "LOST TOO", is_matched: true, ...offer });
    expect(await others.request(getStatementLine, { line: lost })).toMatchObject({ offer });
    const unoffered = await idOf("PAID");
    expect(await others.request(getStatementLine, { line: unoffered })).toMatchObject({ offer: null });
  });
});
