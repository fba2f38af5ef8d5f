import { claimLine, explainDifference, getStatementLine, type Problem, reopenDay, showDay } from "@collect/contracts";
import { beforeAll, expect, test } from "vitest";
import { bookTotals } from "../src/use-cases/book-totals.ts";
import { closeDay } from "../src/use-cases/days.ts";
import { ACCOUNT, aDay, fileOf } from "./files.ts";
import { BANK } from "./month.ts";
import { useStatements } from "./world.ts";

/** Charges that the bank gives back. */

const world = await useStatements();
const { others, known, owner, refresh } = world;
const [FIRST, SECOND, THIRD] = ["2026-10-01", "2026-10-02", "2026-10-03"];

const importDay = (...given: Parameters<typeof aDay>) => world.importFile(fileOf("camt.053", [aDay(...given)]));
const show = (day: string) => others.request(showDay, { day });
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    ({ code, detail, errors }: Problem) => errors?.[0]?.code ?? `${code}: ${detail}`,
  );
const lineOf = async (narration: string): Promise<string> =>
  (await owner.query("select id::text from lines where narration = $1", [narration])).rows[0].id;
type Said = { own?: boolean; charge?: boolean; refund?: boolean };
async function explain(day: string, what: string, said: Said = {}): Promise<string> {
  const item = (await show(day)).items.find((each) => each.what.includes(what));
  if (!item) throw new Error(`no item ${what}`);
  const { key, amount } = item;
  return codeOf(others.request(explainDifference, { day, item: key, amount, reason: "their mistake", ...said }));
}
const close = (day: string, by = "bola") => codeOf(closeDay(world, day, by));
const book = () => bookTotals(world, "charges");
const booked = () => [...known.charges.values()].map(({ day, total, version }) => [day, Number(total), version]);
const offer = async (narration: string, id: string) =>
  codeOf(
    others.request(claimLine, {
      ...{ line: await lineOf(narration), bank_transfer_id: id, account_number: "0123456789", amount: "60" },
    }),
  );

beforeAll(async () => {
  await world.declareAccount();
  await importDay(FIRST, 0n, [{ amount: -100n, narration: "MAINTENANCE FEE" }]);
  await importDay(SECOND, -100n, [
    { amount: 60n, narration: "REVERSED FEE", references: ["FT1"] },
    { amount: 50n, narration: "REVERSED VAT" },
    { amount: 60n, narration: "FROM ADA" },
    { amount: -8n, narration: "SWEEP" },
    { amount: -5n, narration: "MAINTENANCE FEE" },
  ]);
  await explain(FIRST, "FEE");
  await close(FIRST);
  await book();
});

test("only money that reached the account, on a line in no match, can be a charge that was given back, and nothing else as well", async () => {
  for (const what of ["SWEEP", "MAINTENANCE FEE"])
    expect(await explain(SECOND, what, { refund: true })).toBe("not_a_credit_of_the_bank");
  for (const said of [{ own: true }, { charge: true }])
    expect(await explain(SECOND, "REVERSED FEE", { refund: true, ...said })).toBe("not_with_others");
  expect(await explain(SECOND, "REVERSED FEE", { charge: true })).toMatch(/^conflict: Only a match/);
});

test("an account gets back what it was charged until then, and not more", async () => {
  expect(await explain(SECOND, "REVERSED FEE", { refund: true })).toBe("done");
  expect((await show(SECOND)).items.find(({ what }) => what === "REVERSED FEE")).toMatchObject({
    ...{ class: "bank_only", amount: "60", charge: "60", is_charge: true, is_refund: true, is_own: false },
  });
  // Of 105 that it was charged 60 are given back by the first.
  expect(await explain(SECOND, "REVERSED VAT", { refund: true })).toBe("refund_exceeds_charges");
  expect(await explain(SECOND, "REVERSED VAT", { own: true })).toBe("done");
  // As by two persons at once.
  await owner.query("update explanations set is_own = false, charge = amount where item = $1", [
    `line:${await lineOf("REVERSED VAT")}`,
  ]);
  for (const what of ["FROM ADA", "SWEEP", "MAINTENANCE"]) expect(await explain(SECOND, what)).toBe("done");
  expect((await show(SECOND)).blocked_by).toBe(
    `Of account ${ACCOUNT} 1.10 would be charges that the bank gave back, and it was charged 1.05 until then.`,
  );
  expect(await close(SECOND)).toMatch(/^conflict/);
  expect(await explain(SECOND, "REVERSED VAT", { own: true })).toBe("done");
});

test("a line is a charge that was given back, or offered: whichever is first keeps the other out", async () => {
  expect(await offer("REVERSED FEE", "OFFER")).toBe("line_is_own_funds");
  const { rows } = await owner.query("select is_own_funds($1) as is_own", [await lineOf("REVERSED FEE")]);
  expect(rows).toEqual([{ is_own: true }]);
  expect(await offer("FROM ADA", "ADA")).toBe("done");
  expect(await explain(SECOND, "FROM ADA", { refund: true })).toBe("line_is_offered");
  const refund =
    "insert into explanations values ($1, $2, 60, 'r', 'ada', default, 60) on conflict (day, item) do update set charge = 60";
  await expect(owner.query(refund, [SECOND, `line:${await lineOf("FROM ADA")}`])).rejects.toThrow(
    "is offered or claimed",
  );
  await expect(
    owner.query("update explanations set charge = 61 where item = $1", [`line:${await lineOf("REVERSED FEE")}`]),
  ).rejects.toThrow("explanations_refund_check");
});

test("once the day is closed by another person so much less is booked as charges, once", async () => {
  await book();
  expect([await close(SECOND, "tester"), booked()]).toEqual([
    expect.stringMatching(/^second_person_required/),
    [[FIRST, 100, 1]],
  ]);
  expect(await close(SECOND)).toBe("done");
  await Promise.all(Array.from({ length: 5 }, book));
  expect(booked()).toEqual([
    [FIRST, 100, 1],
    [SECOND, -55, 1],
  ]);
  expect((await show(SECOND)).charges).toEqual([{ account: ACCOUNT, total: "-55", booked: true }]);
});

test("what is booked as given back is matched with nothing else, and stays so until the day is closed again without it", async () => {
  const at = `${SECOND}T09:00:00.000+00:00`;
  const late = { bank: BANK, bank_transfer_id: "FT1", amount: "60", paid_at: at, received_at: at };
  known.incoming = [{ ...late, intake_id: "int_1" }];
  await refresh();
  const line = await lineOf("REVERSED FEE");
  expect(await others.request(getStatementLine, { line })).toMatchObject({ is_matched: false, is_own: true });
  await others.request(reopenDay, { day: SECOND, reason: "it was Ada's" });
  await book();
  expect(booked().at(-1)).toEqual([SECOND, -55, 1]);
  // Its id is better evidence than the reason, once the day is open.
  known.ledger.set(THIRD, 60n);
  await importDay(THIRD, 57n, []);
  await show(THIRD);
  expect(await others.request(getStatementLine, { line })).toMatchObject({ is_matched: true });
  expect(await close(SECOND)).toBe("done");
  await book();
  expect(booked().at(-1)).toEqual([SECOND, 5, 2]);
});
