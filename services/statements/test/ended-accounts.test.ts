import {
  continueBankAccount,
  endBankAccount,
  explainDifference,
  listBankAccounts,
  listStatements,
  type Problem,
  removeBankAccount,
  reopenDay,
  showDay,
  withdrawStatement,
} from "@collect/contracts";
import { until } from "@collect/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { closeDay as close } from "../src/use-cases/days.ts";
import { importFile } from "../src/use-cases/import-file.ts";
import { ACCOUNT, aDay, camtOf } from "./files.ts";
import { useStatements } from "./world.ts";

const world = await useStatements();
const { others, known, pool, owner } = world;
const [OTHER, BANK] = ["8888888888", "058"];
const [FIRST, LAST, NEXT] = ["2026-10-01", "2026-10-02", "2026-10-03"];

const fileOf = (number: string, ...given: Parameters<typeof aDay>) =>
  camtOf([aDay(...given)]).replaceAll(ACCOUNT, number);
const take = (text: string) => codeOf(world.importFile(new TextEncoder().encode(text)));
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    ({ code, detail, errors }: Problem) => `${code}: ${errors?.[0]?.code ?? detail}`,
  );
const show = (day: string) => others.request(showDay, { day });
const closeBy = (by: string, day: string) => codeOf(close(world, day, by));
const reason = "the bank closed it";
const end = (last_day: string, number = OTHER) => codeOf(others.request(endBankAccount, { number, last_day, reason }));
const resume = (number = OTHER) => codeOf(others.request(continueBankAccount, { number, reason }));
const remove = (number: string) => codeOf(others.request(removeBankAccount, { number, reason }));

async function explainAll(day: string) {
  for (const { key: item, amount, settled } of (await show(day)).items)
    if (!settled) await others.request(explainDifference, { day, item, amount, reason: "asked the bank" });
}

beforeAll(async () => {
  await world.declareAccount();
  await world.declareAccount({ number: OTHER, bank: BANK, pays_out: false });
  for (const day of [FIRST, LAST, NEXT]) known.ledger.set(day, 0n);
  await take(fileOf(ACCOUNT, FIRST, 0n, []));
});

describe("an account that was named by mistake", () => {
  const MISTAKE = "7777777777";

  test("stops each closing until it is removed, once", async () => {
    await world.declareAccount({ number: MISTAKE, bank: "044", pays_out: false });
    await take(fileOf(OTHER, FIRST, 500n, [{ amount: -200n }]));
    expect((await show(FIRST)).blocked_by).toBe(`There is no complete statement of account ${MISTAKE} for the day.`);
    expect(await end(FIRST, MISTAKE)).toBe("conflict: It has no statement: remove it instead.");
    expect((await Promise.all([remove(MISTAKE), remove(MISTAKE)])).toSorted()).toEqual([
      "done",
      `not_found: No account of ours has the number ${MISTAKE}.`,
    ]);
    // Its line, and what stood in the other one before.
    expect((await show(FIRST)).blocked_by).toBe("Lines of the difference without a reason: 2.");
  });
  test("stays if it has a statement", async () => {
    expect(await remove(OTHER)).toBe("conflict: It has statements: withdraw what was imported by mistake, or end it.");
  });
  test("is removed once its statement is withdrawn, and what was counted to it is counted to the right one", async () => {
    const RIGHT = "7777777770";
    const ofBank = { bank: "044", pays_out: false };
    const at = `${FIRST}T09:00:00.000+00:00`;
    const row = { intake_id: "int_m", bank_transfer_id: "M", bank: "044", amount: "7", paid_at: at, received_at: at };
    known.incoming = [row];
    await world.declareAccount({ number: MISTAKE, ...ofBank });
    await take(fileOf(MISTAKE, FIRST, 0n, [{ amount: 7n, references: ["M"] }]));
    const countedTo = async () =>
      (await owner.query("select account, match_id is not null as matched from movements where key = 'int_m'")).rows;
    await world.refresh();
    expect(await countedTo()).toEqual([{ account: MISTAKE, matched: true }]);
    expect(await remove(MISTAKE)).toMatch(/^conflict/);
    await others.request(withdrawStatement, { account: MISTAKE, from: FIRST, reason });
    expect(await remove(MISTAKE)).toBe("done");
    expect(await countedTo()).toEqual([]);
    await world.declareAccount({ number: RIGHT, ...ofBank });
    await take(fileOf(RIGHT, FIRST, 0n, [{ amount: 7n, references: ["M"] }]));
    await world.refresh();
    expect(await countedTo()).toEqual([{ account: RIGHT, matched: true }]);
    await others.request(withdrawStatement, { account: RIGHT, from: FIRST, reason });
    expect(await remove(RIGHT)).toBe("done");
    known.incoming = [];
  });
});

describe("an account that has ended", () => {
  test("ends with its last statement, and not while something is left in it", async () => {
    expect(await end(LAST, "9999999999")).toMatch(/^not_found/);
    expect(await end("2026-09-30")).toBe(`conflict: Its last statement ends on ${FIRST}: that is its last day.`);
    expect(await end(LAST)).toBe(`conflict: Its last statement ends on ${FIRST}: that is its last day.`);
    expect(await end(FIRST)).toBe(
      "conflict: 3.00 is in it: import the statement that shows where it went first, or name what is left at the bank.",
    );
    await take(fileOf(ACCOUNT, LAST, 0n, []));
    const last = fileOf(OTHER, LAST, 300n, [{ amount: -300n, narration: "CLOSING BALANCE" }]);
    await take(last.replace("CLBD", "ITBD"));
    expect(await end(LAST)).toBe(`conflict: The last page of ${LAST} is missing: import it first.`);
    await others.request(withdrawStatement, { account: OTHER, from: LAST, reason });
    expect(await take(last)).toBe("done");
  });
  test("leaves what our books have of later days to the account that takes its place, and continues as long as there is none", async () => {
    const NEW = "8888888880";
    const transfer = (id: string, day: string) => {
      const at = `${day}T09:00:00.000+00:00`;
      return { intake_id: `int_${id}`, bank_transfer_id: id, bank: BANK, amount: "50", paid_at: at, received_at: at };
    };
    known.incoming = [transfer("before", LAST), transfer("after", NEXT)];
    const countedTo = async () => (await owner.query("select key, account from movements order by key")).rows;
    const [before, after] = [
      { key: "int_before", account: OTHER },
      { key: "int_after", account: OTHER },
    ];
    await resume();
    await world.refresh();
    const declareNew = () => codeOf(world.declareAccount({ number: NEW, bank: BANK, pays_out: false }));
    expect(await declareNew()).toMatch(/^conflict: Another account/);
    expect(await end(LAST)).toBe("done");
    await world.refresh();
    expect(await countedTo()).toEqual([after, before]);
    expect(await resume()).toBe("done");
    await world.refresh();
    expect(await countedTo()).toEqual([after, before]);
    expect(await end(LAST)).toBe("done");
    expect(await declareNew()).toBe("done");
    expect(await resume()).toBe("conflict: Another account has taken its place.");
    expect(await take(fileOf(NEW, NEXT, 0n, []))).toBe("done");
    await world.refresh();
    expect(await countedTo()).toEqual([{ ...after, account: NEW }, before]);
    await others.request(withdrawStatement, { account: NEW, from: NEXT, reason });
    expect(await remove(NEW)).toBe("done");
    expect(await resume()).toBe("done");
    known.incoming = [];
    await owner.query("delete from movements");
  });
  test("settles what the bank has not booked by then: no statement will say it", async () => {
    const at = `${LAST}T09:00:00.000+00:00`;
    const row = { intake_id: "int_1", bank_transfer_id: "1", bank: BANK, amount: "50", paid_at: at, received_at: at };
    known.incoming = [row];
    for (const day of [LAST, NEXT]) known.ledger.set(day, 50n);
    const ofTransfer = async () => (await show(LAST)).items.find(({ key }) => key === "int_1")?.class;
    expect(await ofTransfer()).toBe("timing");
    expect(await Promise.all([end(LAST), end(LAST)])).toEqual(["done", "done"]);
    expect(await ofTransfer()).toBe("books_only");
    expect(await end(FIRST)).toBe(`conflict: It ended on ${LAST}: continue it first.`);
    const { accounts } = await others.request(listBankAccounts, {});
    expect(accounts.map(({ number, last_day }) => [number, last_day])).toEqual([
      [ACCOUNT, null],
      [OTHER, LAST],
    ]);
  });
  test("takes no more statements, and its last one stays", async () => {
    expect(await take(fileOf(OTHER, NEXT, 0n, []))).toBe("conflict: account_ended");
    const both = `${fileOf(ACCOUNT, NEXT, 0n, [])}`.replace(
      "</BkToCstmrStmt>",
      `${/<Stmt>.*<\/Stmt>/s.exec(fileOf(OTHER, NEXT, 0n, []))?.[0]}</BkToCstmrStmt>`,
    );
    expect(await take(both)).toBe("conflict: account_ended");
    const withdraw = { account: OTHER, from: LAST, reason };
    expect(await codeOf(others.request(withdrawStatement, withdraw))).toMatch(/^conflict: The account has ended/);
    const { data } = await others.request(listStatements, {});
    expect(data.map(({ account, can_be_withdrawn }) => [account, can_be_withdrawn])).toEqual([
      ...[
        [OTHER, false],
        [ACCOUNT, true],
      ],
      ...[
        [OTHER, false],
        [ACCOUNT, false],
      ],
    ]);
  });
  test("is an item of the first day without it, which another person closes than the one who ended it", async () => {
    for (const day of [FIRST, LAST]) {
      await explainAll(day);
      expect(await closeBy("bola", day)).toBe("done");
    }
    expect((await show(LAST)).accounts.map(({ number }) => number)).toEqual([ACCOUNT, OTHER]);
    const { hash, parts } = await world.put(new TextEncoder().encode(fileOf(ACCOUNT, NEXT, 0n, [])));
    await importFile(pool, { hash, parts, name: "third" }, "ada");
    const sheet = await show(NEXT);
    expect(sheet).toMatchObject({
      ...{ difference: "0", blocked_by: null, accounts: [{ number: ACCOUNT }] },
      items: [
        {
          ...{ key: `account:${OTHER}`, class: "account_ended", amount: "0", what: `its last day was ${LAST}` },
          ...{ settled: true, reason, explained_by: "tester" },
        },
      ],
    });
    expect(await closeBy("tester", NEXT)).toMatch(/^second_person_required: You gave a reason/);
    expect(await closeBy("bola", NEXT)).toBe("done");
    expect((await show(NEXT)).items).toEqual(sheet.items);
  });
  test("continues while no day without it is closed, and then waits for its statement again", async () => {
    expect(await resume()).toBe("conflict: The day is closed: reopen it first.");
    const byHand = "update bank_accounts set last_on = null, ended_by = null, end_reason = null where number = $1";
    await expect(owner.query(byHand, [OTHER])).rejects.toThrow(/is closed/);
    await others.request(reopenDay, { day: NEXT, reason });
    expect([await resume(), await resume()]).toEqual(["done", "done"]);
    expect(await resume("9999999999")).toMatch(/^not_found/);
    expect((await show(NEXT)).blocked_by).toBe(`There is no complete statement of account ${OTHER} for the day.`);
    expect(await end(LAST)).toBe("done");
    expect((await show(NEXT)).blocked_by).toBeNull();
  });
  test("is not ended any more by a day that closes while its end is taken back", async () => {
    const client = await pool.connect();
    await client.query("begin");
    await client.query(
      "update bank_accounts set last_on = null, ended_by = null, end_reason = null where number = $1",
      [OTHER],
    );
    const closing = codeOf(close({ ...world, refresh: async () => {} }, NEXT, "bola"));
    await until("the closing waits", async () => {
      const waiting = "wait_event_type = 'Lock' and query like '%pg_advisory_xact_lock(hashtext%'";
      return (
        (await owner.query(`select from pg_stat_activity where datname = current_database() and ${waiting}`)).rows
          .length === 1
      );
    });
    await client.query("commit");
    client.release();
    expect(await closing).toBe(`conflict: There is no complete statement of account ${OTHER} for the day.`);
  });
  test("takes one of its end and its next statement, of both at once", async () => {
    const next = fileOf(OTHER, NEXT, 0n, []);
    const outcomes = await Promise.all([end(LAST), take(next)]);
    expect([
      ["done", "conflict: account_ended"],
      [`conflict: Its last statement ends on ${NEXT}: that is its last day.`, "done"],
    ]).toContainEqual(outcomes);
  });
});
