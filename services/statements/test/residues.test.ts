import { Readable } from "node:stream";
import {
  continueBankAccount,
  dayReportCsv,
  endBankAccount,
  explainDifference,
  type Problem,
  reopenDay,
  showDay,
} from "@collect/contracts";
import { beforeAll, expect, test } from "vitest";
import { closeDay as close } from "../src/use-cases/days.ts";
import { importFile } from "../src/use-cases/import-file.ts";
import { ACCOUNT, aDay, camtOf } from "./files.ts";
import { useStatements } from "./world.ts";

/** An account that the bank keeps money of, or of which no more statement comes. */

const world = await useStatements();
const { others, known, pool, owner } = world;
const [OTHER, NEW, BANK] = ["8888888888", "8888888880", "058"];
const [LAST, NEXT, THIRD, FOURTH] = ["2026-10-01", "2026-10-02", "2026-10-03", "2026-10-04"];

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    ({ code, detail, errors }: Problem) => `${code}: ${errors?.[0]?.code ?? detail}`,
  );
const fileOf = (number: string, ...given: Parameters<typeof aDay>) =>
  new TextEncoder().encode(camtOf([aDay(...given)]).replaceAll(ACCOUNT, number));
/** By another person than the one who ends and closes. */
async function take(file: Uint8Array) {
  const { hash, parts } = await world.put(file);
  return codeOf(importFile(pool, { hash, parts, name: "statement" }, "ada"));
}
const show = (day: string) => others.request(showDay, { day });
const closeBy = (by: string, day: string) => codeOf(close(world, day, by));
const reason = "the bank is in liquidation";
const end = (residue?: string, last_day = LAST) =>
  codeOf(others.request(endBankAccount, { number: OTHER, last_day, reason, ...(residue && { residue }) }));
const resume = () => codeOf(others.request(continueBankAccount, { number: OTHER, reason }));
const itemsOf = async (day: string) =>
  (await show(day)).items.map(({ key, class: kind, account, amount }) => [key, kind, account, amount]);
const received = (id: string, day: string) => {
  const at = `${day}T09:00:00.000+00:00`;
  return { intake_id: `int_${id}`, bank_transfer_id: id, bank: BANK, amount: "50", paid_at: at, received_at: at };
};

async function explainAll(day: string) {
  for (const { key: item, amount, settled } of (await show(day)).items)
    if (!settled) await others.request(explainDifference, { day, item, amount, reason: "asked the bank" });
}

beforeAll(async () => {
  await world.declareAccount();
  await world.declareAccount({ number: OTHER, bank: BANK, pays_out: false });
  for (const day of [LAST, NEXT, THIRD, FOURTH]) known.ledger.set(day, 300n);
  for (const day of [LAST, NEXT, THIRD]) await take(fileOf(ACCOUNT, day, 0n, []));
  await take(fileOf(OTHER, LAST, 0n, [{ amount: 300n }]));
  await explainAll(LAST);
  expect(await closeBy("bola", LAST)).toBe("done");
});

test("it stops each day until it ends with exactly what its last statement leaves, once", async () => {
  expect((await show(NEXT)).blocked_by).toBe(`There is no complete statement of account ${OTHER} for the day.`);
  expect(await end()).toMatch(/^conflict: 3\.00 is in it: import .* or name what is left at the bank\.$/);
  expect(await end("0")).toBe("conflict: 3.00 is in it, and not 0.00.");
  expect(await end("299")).toBe("conflict: 3.00 is in it, and not 2.99.");
  expect(await end("300", NEXT)).toBe(`conflict: Its last statement ends on ${LAST}: that is its last day.`);
  expect(await Promise.all([end("300"), end("300")])).toEqual(["done", "done"]);
  expect(await end("299")).toBe("conflict: 3.00 is in it, and not 2.99.");
  expect((await show(NEXT)).blocked_by).toBeNull();
});

test("what our books have of later days is in our books only, line by line, until an account takes its place", async () => {
  known.incoming = [received("later", NEXT)];
  known.ledger.set(NEXT, 350n);
  await world.refresh();
  const left = [`account:${OTHER}`, "account_ended", OTHER, "-300"];
  expect(await itemsOf(NEXT)).toEqual([left, ["int_later", "books_only", OTHER, "-50"]]);
  expect((await show(NEXT)).blocked_by).toBe("Lines of the difference without a reason: 1.");
  await world.declareAccount({ number: NEW, bank: BANK, pays_out: false });
  await take(fileOf(NEW, NEXT, 0n, [{ amount: 50n, references: ["later"] }]));
  await world.refresh();
  expect(await itemsOf(NEXT)).toEqual([left]);
});

test("what is left is a line of the first day without it, for which one person vouches and another closes", async () => {
  const sheet = await show(NEXT);
  expect(sheet).toMatchObject({
    ...{ difference: "-300", blocked_by: null, accounts: [{ number: ACCOUNT }, { number: NEW }] },
    items: [
      {
        ...{ amount: "-300", what: `3.00 left at the bank; its last day was ${LAST}`, settled: true },
        ...{ reason: `3.00 left at the bank: ${reason}`, explained_by: "tester" },
      },
    ],
  });
  const report = Readable.from(dayReportCsv(sheet, () => Promise.reject(new Error("the sheet has no group"))));
  expect((await report.toArray()).join("\n")).toContain(`-3.00,account_ended,3.00 left at the bank: ${reason},tester`);
  expect(await closeBy("tester", NEXT)).toMatch(/^second_person_required: You gave a reason/);
  expect(await closeBy("bola", NEXT)).toBe("done");
  expect((await show(NEXT)).items).toEqual(sheet.items);
  known.ledger.set(THIRD, 350n);
  await take(fileOf(NEW, THIRD, 50n, []));
  expect(await show(THIRD)).toMatchObject({ difference: "0", items: [], blocked_by: null });
});

test("it continues while no day without it is closed and nothing took its place, and then its statement is taken", async () => {
  expect(await resume()).toBe("conflict: The day is closed: reopen it first.");
  await others.request(reopenDay, { day: NEXT, reason });
  expect(await resume()).toBe("conflict: Another account has taken its place.");
  // As if the other account had another bank.
  await world.owner.query("update bank_accounts set bank = '044' where number = $1", [NEW]);
  expect([await resume(), await resume()]).toEqual(["done", "done"]);
  expect((await show(NEXT)).blocked_by).toBe(`There is no complete statement of account ${OTHER} for the day.`);
  expect(await take(fileOf(OTHER, NEXT, 300n, [{ amount: -100n }]))).toBe("done");
  expect(await end("300", LAST)).toBe(`conflict: Its last statement ends on ${NEXT}: that is its last day.`);
  expect((await itemsOf(NEXT)).filter(([, kind]) => kind === "account_ended")).toEqual([]);
});

test("of its end and its next statement at once one comes first, and the end is about that", async () => {
  const outcomes = await Promise.all([end("200", NEXT), take(fileOf(OTHER, THIRD, 200n, [{ amount: 1n }]))]);
  expect([
    ["done", "conflict: account_ended"],
    [`conflict: Its last statement ends on ${THIRD}: that is its last day.`, "done"],
  ]).toContainEqual(outcomes);
});

test("of its end and a closing at once, no day closes without it that does not show what is left", async () => {
  const { rows } = await owner.query(
    "select max(to_on)::text as day, (array_agg(closing::text order by to_on desc))[1] as closing from statements where account = $1",
    [OTHER],
  );
  const { day, closing } = rows[0];
  await resume();
  for (const each of [NEXT, ...(day === THIRD ? [THIRD] : [])]) {
    await explainAll(each);
    expect(await closeBy("bola", each)).toBe("done");
  }
  const first = day === THIRD ? FOURTH : THIRD;
  if (first === FOURTH)
    for (const number of [ACCOUNT, NEW]) await take(fileOf(number, FOURTH, number === NEW ? 50n : 0n, []));
  known.ledger.set(first, 350n);
  await world.refresh();
  const [ended, closed] = await Promise.all([end(closing, day), closeBy("bola", first)]);
  expect(ended).toBe("done");
  expect(["done", `conflict: There is no complete statement of account ${OTHER} for the day.`]).toContain(closed);
  expect(await itemsOf(first)).toContainEqual([`account:${OTHER}`, "account_ended", OTHER, `-${closing}`]);
});

test("an account whose last page never comes ends, too: what the bank has not shown by then is in our books only", async () => {
  const [PAGED, OWN] = ["7777777777", "077"];
  await world.declareAccount({ number: PAGED, bank: OWN, pays_out: false });
  const day = "2026-10-06";
  const page = camtOf([aDay(day, 0n, [{ amount: 700n }])])
    .replaceAll(ACCOUNT, PAGED)
    .replace("CLBD", "ITBD");
  expect(await take(new TextEncoder().encode(page))).toBe("done");
  const endIt = (residue?: string) =>
    codeOf(others.request(endBankAccount, { number: PAGED, last_day: day, reason, ...(residue && { residue }) }));
  expect(await endIt()).toBe(`conflict: The last page of ${day} is missing: import it first.`);
  known.incoming = [{ ...received("paged", day), bank: OWN }];
  expect(await endIt("700")).toBe("done");
  await world.refresh();
  expect((await itemsOf(day)).find(([key]) => key === "int_paged")).toEqual(["int_paged", "books_only", PAGED, "-50"]);
});
