import {
  claimLine,
  claimReturn,
  claimReversal,
  explainDifference,
  getBankBalances,
  getStatementLine,
  matchByHand,
  type Problem,
  reopenDay,
  showDay,
} from "@collect/contracts";
import { beforeAll, expect, test } from "vitest";
import { bookTotals } from "../src/use-cases/book-totals.ts";
import { closeDay } from "../src/use-cases/days.ts";
import { ACCOUNT, aDay, fileOf } from "./files.ts";
import { BANK } from "./month.ts";
import { useStatements } from "./world.ts";

const world = await useStatements();
const { others, known, owner, refresh, alarms } = world;
const [FIRST, SECOND, THIRD] = ["2026-10-01", "2026-10-02", "2026-10-03"];

const importDay = (...given: Parameters<typeof aDay>) => world.importFile(fileOf("camt.053", [aDay(...given)]));
const show = (day: string) => others.request(showDay, { day });
const booked = () => [...known.ownFunds.values()].map(({ day, total, version }) => [day, Number(total), version]);
const book = () => bookTotals(world, "own_funds");

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    ({ code, detail, errors }: Problem) => errors?.[0]?.code ?? `${code}: ${detail}`,
  );
const lineOf = async (narration: string): Promise<string> =>
  (await owner.query("select id::text from lines where narration = $1", [narration])).rows[0].id;
async function explain(day: string, what: string, said: { own?: boolean; charge?: boolean } = {}): Promise<string> {
  const item = (await show(day)).items.find((each) => each.what.includes(what));
  if (!item) throw new Error(`no item ${what}`);
  const { key, amount } = item;
  return codeOf(others.request(explainDifference, { day, item: key, amount, reason: "by treasury", ...said }));
}
const close = (day: string) => closeDay(world, day, "bola");
const reopen = (day: string) => others.request(reopenDay, { day, reason: "said wrongly" });
const claims = {
  offer: async (narration: string) =>
    codeOf(
      others.request(claimLine, {
        ...{ line: await lineOf(narration), bank_transfer_id: `OFFER ${narration}`, account_number: "0123456789" },
        amount: "60",
      }),
    ),
  reversal: async (narration: string) =>
    codeOf(
      others.request(claimReversal, {
        ...{ line: await lineOf(narration), account_number: "0123456789", amount: "70", reversals: [] },
      }),
    ),
  return: async (narration: string) =>
    codeOf(
      others.request(claimReturn, {
        ...{ line: await lineOf(narration), reference: `trf_of_${narration}`, account_number: "0123456789" },
        amount: "60",
      }),
    ),
};

beforeAll(async () => {
  await world.declareAccount();
  const received_at = `${FIRST}T09:00:00.000+00:00`;
  const report = { bank: BANK, paid_at: received_at, received_at };
  known.incoming = [
    { ...report, intake_id: "int_1", bank_transfer_id: "R1", amount: "900" },
    { ...report, intake_id: "int_2", bank_transfer_id: "R2", amount: "7" },
  ];
  known.ledger.set(FIRST, 907n);
  await importDay(FIRST, 0n, [
    { amount: 100_000n, narration: "TOP UP", references: ["FT1"] },
    { amount: -30_000n, narration: "SWEEP", references: ["FT2"] },
    { amount: 890n, narration: "CREDIT", references: ["R1"] },
    { amount: -54n, narration: "MAINTENANCE FEE", references: ["FT3"] },
  ]);
  await importDay(SECOND, 70_836n, []);
});

test("only a line of the bank in no match is our own money, and not a charge as well", async () => {
  for (const what of ["MAINTENANCE FEE", "CREDIT", "int_2"])
    expect(await explain(FIRST, what, { own: true })).toBe("not_a_line_of_the_bank");
  expect(await explain(FIRST, "TOP UP", { own: true, charge: true })).toBe("not_with_charge");
  expect((await show(FIRST)).items.every(({ is_own }) => is_own === false)).toBe(true);
  const given = { day: FIRST, reason: "by treasury", own: true };
  expect(await codeOf(others.request(explainDifference, { ...given, item: "bank_only", amount: "70001" }))).toMatch(
    /^not_found/,
  );
  expect(await codeOf(others.request(explainDifference, { ...given, item: "bank_only", amount: "70000" }))).toBe(
    "done",
  );
  const own = (await show(FIRST)).items.filter(({ is_own }) => is_own);
  expect(own.map(({ class: kind, amount }) => [kind, amount]).toSorted()).toEqual([
    ["bank_only", "-30000"],
    ["bank_only", "100000"],
  ]);
});

test("an open day books nothing, and a closed one what came less what went, once, however many book at once", async () => {
  for (const what of ["MAINTENANCE FEE", "CREDIT", "int_2"]) expect(await explain(FIRST, what)).toBe("done");
  await book();
  expect([booked(), (await show(FIRST)).own_funds]).toEqual([[], undefined]);
  await expect(closeDay(world, FIRST, "tester")).rejects.toMatchObject({ code: "second_person_required" });
  await close(FIRST);
  expect((await show(FIRST)).own_funds).toEqual([{ account: ACCOUNT, total: "70000", booked: false }]);
  await Promise.all(Array.from({ length: 10 }, book));
  await bookTotals(world, "charges");
  expect(booked()).toEqual([[FIRST, 70_000, 1]]);
  expect((await show(FIRST)).own_funds).toEqual([{ account: ACCOUNT, total: "70000", booked: true }]);
  // Each is booked as itself.
  expect([...known.charges.values()].map(({ total }) => Number(total))).toEqual([54]);
});

test("a process that dies after the ledger has booked, and a ledger that was restored, book it once", async () => {
  await owner.query("delete from booked_own_funds");
  await book();
  expect([booked(), (await show(FIRST)).own_funds]).toMatchObject([[[FIRST, 70_000, 1]], [{ booked: true }]]);
  known.ownFunds.clear();
  await book();
  expect(booked()).toEqual([[FIRST, 70_000, 1]]);
});

test("what is booked changes no other day, and a ledger that would not leave it out is refused", async () => {
  expect(await show(SECOND)).toMatchObject({ difference: "0", blocked_by: null });
  const old = {
    ...world.bus,
    request: async (...given: Parameters<typeof world.bus.request>) => {
      const answer = await world.bus.request(...given);
      return given[0].subject === getBankBalances.subject
        ? Object.assign({}, answer, { own_funds: undefined })
        : answer;
    },
  };
  await expect(closeDay({ ...world, bus: old as typeof world.bus }, SECOND, "bola")).rejects.toMatchObject({
    code: "service_unavailable",
  });
});

test("a line that is booked as our own is matched with nothing else, by itself or by hand", async () => {
  const line = await lineOf("TOP UP");
  const at = `${SECOND}T09:00:00.000+00:00`;
  const late = { bank: BANK, bank_transfer_id: "FT1", amount: "100000", paid_at: at, received_at: at };
  known.incoming = [...known.incoming, { ...late, intake_id: "int_3" }];
  await refresh();
  expect(alarms).toEqual([]);
  expect(await others.request(getStatementLine, { line })).toMatchObject({ is_matched: false, is_own: true });
  expect(await codeOf(others.request(matchByHand, { lines: [line], movements: ["int_3"] }))).toMatch(/is closed/);
  await owner.query(`insert into matches (id, evidence) values (${line}, 'reference')`);
  await expect(owner.query(`update lines set match_id = ${line} where id = ${line}`)).rejects.toThrow(/is closed/);
  await owner.query(`delete from matches where id = ${line}`);
  known.incoming = known.incoming.slice(0, -1);
  await owner.query("delete from movements where key = 'int_3'");
});

test("a reopened day stays booked until it is closed again, with another choice, or with none", async () => {
  await reopen(FIRST);
  await book();
  expect(booked()).toEqual([[FIRST, 70_000, 1]]);
  // It was no money of ours that went.
  expect(await explain(FIRST, "SWEEP")).toBe("done");
  await close(FIRST);
  await book();
  expect(booked()).toEqual([[FIRST, 100_000, 2]]);
  await reopen(FIRST);
  expect(await explain(FIRST, "TOP UP")).toBe("done");
  await close(FIRST);
  await book();
  expect([booked(), (await show(FIRST)).own_funds]).toEqual([[[FIRST, 0, 3]], []]);
  await expect(owner.query("update closings set own_funds = '{1}' where reopened_at is null")).rejects.toThrow(
    /only undone/,
  );
});

test("after a restore of this database the ledger keeps what it has until the day is closed again, and then has that", async () => {
  await reopen(FIRST);
  for (const what of ["TOP UP", "SWEEP"]) await explain(FIRST, what, { own: true });
  await close(FIRST);
  await book();
  expect(booked()).toEqual([[FIRST, 70_000, 4]]);
  await owner.query("alter table closings disable trigger closings_stay");
  await owner.query("delete from closings");
  await owner.query("delete from booked_own_funds");
  await owner.query("alter table closings enable trigger closings_stay");
  await book();
  expect(booked()).toEqual([[FIRST, 70_000, 4]]);
  await explain(FIRST, "SWEEP");
  await close(FIRST);
  await Promise.all([book(), book()]);
  expect(booked()).toEqual([[FIRST, 100_000, 5]]);
});

test("a line is our own, or offered, or what came back: whichever is first keeps the others out", async () => {
  await close(SECOND);
  const taken = [
    ...["OFFERED", "RETURNED", "OURS"].map((narration) => ({ amount: 60n, narration })),
    ...["REVERSED", "OURS OUT"].map((narration) => ({ amount: -70n, narration })),
  ];
  await importDay(THIRD, 70_836n, taken);
  expect([await claims.offer("OFFERED"), await claims.return("RETURNED"), await claims.reversal("REVERSED")]).toEqual(
    Array.from({ length: 3 }, () => "done"),
  );
  for (const what of ["OFFERED", "RETURNED", "REVERSED"]) {
    expect(await explain(THIRD, what, { own: true })).toBe("line_is_offered");
    await expect(
      owner.query("insert into explanations values ($1, $2, 1, 'r', 'ada', default, null, true)", [
        THIRD,
        `line:${await lineOf(what)}`,
      ]),
    ).rejects.toThrow("is offered or claimed");
  }
  expect(await explain(THIRD, "OURS OUT", { own: true })).toBe("done");
  expect(await explain(THIRD, "OURS", { own: true })).toBe("done");
  expect([await claims.offer("OURS"), await claims.return("OURS"), await claims.reversal("OURS OUT")]).toEqual(
    Array.from({ length: 3 }, () => "line_is_own_funds"),
  );
  await expect(
    owner.query(
      "insert into offers (line_id, account, bank_transfer_id, account_number, amount) values ($1, $2, 'X', '1', 1)",
      [await lineOf("OURS"), ACCOUNT],
    ),
  ).rejects.toThrow("is money of our own");
  // A reason without it gives the line free.
  expect(await explain(THIRD, "OURS OUT")).toBe("done");
  expect(await claims.reversal("OURS OUT")).toBe("done");
});

test("of a reason and an offer at once one is refused", async () => {
  await explain(THIRD, "OURS");
  const item = { day: THIRD, item: `line:${await lineOf("OURS")}`, amount: "60", reason: "by treasury", own: true };
  const both = await Promise.all([claims.offer("OURS"), codeOf(others.request(explainDifference, item))]);
  expect(both.toSorted()).toEqual(both[0] === "done" ? ["done", "line_is_offered"] : ["done", "line_is_own_funds"]);
});
