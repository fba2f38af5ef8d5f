import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import {
  DAY_ITEMS_MAX,
  DaySheet,
  dayReportCsv,
  explainDifference,
  listDayGroup,
  type Problem,
  reopenDay,
  showDay,
  type WireResult,
} from "@collect/contracts";
import { beforeAll, describe, expect, test } from "vitest";
import { closeDay, explain } from "../src/use-cases/days.ts";
import { ACCOUNT, aDay, fileOf } from "./files.ts";
import { useStatements } from "./world.ts";

const world = await useStatements();
const { others, owner } = world;
const [DAY, NEXT, SMALL] = ["2026-10-01", "2026-10-02", "2026-10-03"];
const COUNT = 2_500;
/** A bank that reports no id that we know: money in and out. */
const LINES = Array.from({ length: COUNT }, (_, n) => ({
  ...{ amount: BigInt(n % 5 < 3 ? n + 1 : -n - 1), narration: `TRF ${n}` },
}));
const CLOSING = LINES.reduce((sum, { amount }) => sum + amount, 0n);

type Sheet = WireResult<typeof showDay>;
type Item = Sheet["items"][number];
const importDay = (...given: Parameters<typeof aDay>) => world.importFile(fileOf("mt940", [aDay(...given)]));
const show = (day = DAY) => others.request(showDay, { day });
const give = (item: string, amount: string | bigint, given: { seen?: string | undefined; day?: string } = {}) =>
  others.request(explainDifference, { day: DAY, item, amount: String(amount), reason: "Sent by the bank", ...given });
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    ({ code, errors = [] }: Problem) => [code, ...errors.map((error) => error.code)].join(" "),
  );
const groupsOf = ({ items }: Sheet) => items.filter(({ count }) => count !== undefined);
function bothGroups(sheet: Sheet): { credits: Item; debits: Item } {
  const [credits, debits] = [false, true].map((isDebit) =>
    groupsOf(sheet).find(({ amount }) => amount.startsWith("-") === isDebit),
  );
  if (!credits || !debits) throw new Error("the day has a group of each sign");
  return { credits, debits };
}
const sumOf = (items: Pick<Item, "amount">[]) => items.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
const linesIn = (items: Item[]) => items.reduce((sum, { count = 1 }) => sum + count, 0);
const readPage = (day: string) => (group: string, after?: string) =>
  others.request(listDayGroup, { day, group, after });
async function reportedLines(sheet: Sheet): Promise<Set<string>> {
  const report: string[] = await Readable.from(dayReportCsv(sheet, readPage(DAY))).toArray();
  return new Set(report.filter((line) => /,line:\d+,/.test(line)));
}
const explained = async () => (await owner.query("select count(*)::integer as n from explanations")).rows[0].n;

beforeAll(async () => {
  await world.declareAccount();
  await importDay(DAY, 0n, LINES);
});

describe("a day with more lines than fit", () => {
  test("is shown within the room of a sheet: the largest by themselves, the others in groups of one sign", async () => {
    const sheet = await show();
    const of = { account: ACCOUNT, class: "bank_only", settled: false, reason: null };
    expect(sheet.items.length).toBe(1_002);
    expect(bothGroups(sheet)).toMatchObject({
      credits: { ...of, count: 900, what: expect.stringMatching(/^900 lines: the largest 14\.98 TRF 1497; TRF/) },
      debits: { ...of, count: 600, what: expect.stringMatching(/^600 lines: the largest -15\.00 TRF 1499; TRF/) },
    });
    // They come first.
    expect(sheet.items.slice(2).some(({ count, amount }) => count || Math.abs(Number(amount)) <= 1_500)).toBe(false);
    expect([sumOf(sheet.items), linesIn(sheet.items)]).toEqual([CLOSING, COUNT]);
    expect([sheet.items_total, sheet.blocked_by]).toEqual([
      COUNT,
      `Lines of the difference without a reason: ${COUNT}.`,
    ]);
  });
  test("lists the lines of a group a page at a time, each once, and its report has every line of the day", async () => {
    const sheet = await show();
    for (const { key, amount, count } of groupsOf(sheet)) {
      const { data, next } = await readPage(DAY)(key);
      expect([data.length, next]).toEqual([count, null]);
      expect(sumOf(data)).toBe(BigInt(amount));
    }
    expect((await reportedLines(sheet)).size).toBe(COUNT);
    expect(await refusal(readPage(DAY)("group:line:1:abc"))).toBe("conflict group_changed");
  });
  test("takes a reason for a single line of a group, which is by itself from then on", async () => {
    const { credits } = bothGroups(await show());
    const [line] = (await readPage(DAY)(credits.key)).data;
    if (!line) throw new Error("the group has lines");
    await give(line.key, line.amount);
    const sheet = await show();
    expect(sheet.items.find(({ key }) => key === line.key)).toMatchObject({ explained_by: "tester" });
    expect(bothGroups(sheet).credits.count).toBe(899);
    expect(await refusal(give(credits.key, credits.amount))).toBe("conflict group_changed");
  });
  test("takes one reason for a group, and none for a line that has joined it since it was shown", async () => {
    const before = await show();
    const { credits, debits } = bothGroups(before);
    await importDay(DAY, CLOSING, [{ amount: 3n, narration: "LATE" }], 2);
    const known = await explained();
    // Its sum is named as it would be with the new line, too.
    for (const amount of [BigInt(credits.amount), BigInt(credits.amount) + 3n])
      expect(await refusal(give(credits.key, amount))).toBe("conflict group_changed");
    expect(await refusal(give("bank_only", CLOSING + 3n, { seen: before.digest }))).toBe("conflict");
    expect(await refusal(give("bank_only", CLOSING + 3n))).toBe("conflict required");
    expect(await refusal(give(debits.key, BigInt(debits.amount) - 1n))).toBe("not_found");
    expect(await explained()).toBe(known);

    await explain(world, { day: DAY, item: debits.key, amount: BigInt(debits.amount), reason: "Fees" }, "ada");
    expect(bothGroups(await show())).toMatchObject({
      credits: { count: 900, explained_by: null },
      debits: { key: debits.key, count: 600, explained_by: "ada" },
    });
    expect(await explained()).toBe(known + 600);
  });
  test("is closed by none who gave the reason for a group of it, and by another person as it was shown", async () => {
    const sheet = await show();
    await give("bank_only", CLOSING + 3n, { seen: sheet.digest });
    const { debits } = bothGroups(await show());
    await explain(world, { day: DAY, item: debits.key, amount: BigInt(debits.amount), reason: "Fees" }, "ada");
    const { digest, blocked_by } = await show();
    expect(blocked_by).toBeNull();
    for (const by of ["tester", "ada"])
      expect(await refusal(closeDay(world, DAY, by, digest))).toBe("second_person_required");
    expect(await refusal(closeDay(world, DAY, "bola", sheet.digest))).toBe("conflict");
    expect(await closeDay(world, DAY, "bola", digest)).toMatchObject({ state: "closed", closed_by: "bola", digest });
  });
});

describe("once it is closed", () => {
  test("each line of it is proved: by the digest of the sheet, of its groups, and the reason of each line", async () => {
    const closed = await show();
    const { rows } = await owner.query("select sheet from closings where day = $1 and reopened_at is null", [DAY]);
    const { digest, ...sheet } = DaySheet.parse(rows[0].sheet);
    expect(sha256(JSON.stringify(DaySheet.encode({ ...sheet, blocked_by: null }))).toString("hex")).toBe(digest);
    for (const { key, class: kind, account, count, reason, explained_by } of groupsOf(closed)) {
      const { rows: members } = await owner.query(
        `select item, grouped_items.amount::text, what from grouped_items join explanations using (item)
        where day = $1 and in_group = $2 and explanations.amount = grouped_items.amount and (reason, explained_by) = ($3, $4) order by item`,
        [DAY, key, reason, explained_by],
      );
      const all = members.map(({ item, amount }) => [item, kind, String(account), amount, "null"]);
      expect(members.length).toBe(count);
      expect(key).toBe(`group:${members[0].item}:${sha256(JSON.stringify(all)).toString("base64url")}`);
    }
    expect(linesIn(closed.items)).toBe(COUNT + 1);
    expect((await reportedLines(closed)).size).toBe(COUNT + 1);
  });
  test("nothing of it changes, and no line is added to its groups", async () => {
    const refused = [
      "update grouped_items set amount = amount + 1",
      "delete from grouped_items",
      "truncate grouped_items",
      "insert into grouped_items select closing, in_group, 'line:0', amount, charge, what from grouped_items limit 1",
    ];
    for (const sql of refused) await expect(owner.query(sql), sql).rejects.toThrow(/refused|come with it/);
    const [group] = groupsOf(await show());
    expect(await refusal(give(group?.key ?? "", group?.amount ?? 0n))).toBe("conflict");
  });
  test("its lines hold up no later day", async () => {
    await importDay(NEXT, CLOSING + 3n, [], 3);
    expect((await show(NEXT)).blocked_by).toBeNull();
  });
  test("it is the same when it is reopened, and closes as the same again", async () => {
    const closed = await show();
    await others.request(reopenDay, { day: DAY, reason: "a mistake" });
    const open = await show();
    expect([open.state, open.items, open.digest]).toEqual(["open", closed.items, closed.digest]);
    expect(await closeDay(world, DAY, "bola", closed.digest)).toMatchObject({ digest: closed.digest });
  });
});

test("a day of as many lines as fit has no group, and takes a reason for all of a class as ever", async () => {
  const lines = Array.from({ length: DAY_ITEMS_MAX }, (_, n) => ({ amount: BigInt(n + 1), narration: `TRF ${n}` }));
  await importDay(SMALL, CLOSING + 3n, lines, 4);
  const total = sumOf((await show(SMALL)).items);
  expect((await show(SMALL)).items.filter((item) => "count" in item)).toEqual([]);
  await give("bank_only", total, { day: SMALL });
  expect((await show(SMALL)).items.every(({ explained_by }) => explained_by === "tester")).toBe(true);
  await importDay(SMALL, CLOSING + 3n + total, [{ amount: 1n, narration: "ONE MORE" }], 5);
  const sheet = await show(SMALL);
  // What has a reason and what has none are never together.
  expect(groupsOf(sheet).map(({ count, explained_by }) => [count, explained_by])).toEqual([[1_000, "tester"]]);
  expect(sheet.blocked_by).toMatch(/^Days are closed in order/);
});

test("with more different reasons than fit a day is refused, until all of a class have one", async () => {
  await closeDay(world, NEXT, "bola");
  await owner.query(
    "insert into explanations select $1, 'line:' || id, amount, 'reason ' || id, 'ada' from lines where booked_on = $1 on conflict (day, item) do update set reason = excluded.reason",
    [SMALL],
  );
  expect(await refusal(closeDay(world, SMALL, "bola"))).toBe("conflict day_too_large");
  const sheet = await show(SMALL);
  expect(sheet.items.length).toBe(DAY_ITEMS_MAX);
  expect(sheet.blocked_by).toMatch(/Give all of a class one reason: bank_only 20010\.01\.$/);
  await give("bank_only", sheet.difference, { day: SMALL, seen: sheet.digest });
  expect(await closeDay(world, SMALL, "bola")).toMatchObject({ state: "closed", items_total: DAY_ITEMS_MAX + 1 });
});

const sha256 = (text: string) => createHash("sha256").update(text).digest();
