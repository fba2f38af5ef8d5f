import {
  closeDay,
  type DaySheet,
  explainDifference,
  matchByHand,
  type Problem,
  reopenDay,
  showDay,
  type WireResult,
} from "@collect/contracts";
import { beforeAll, describe, expect, test } from "vitest";
import { closeDay as close } from "../src/use-cases/days.ts";
import { ACCOUNT, aDay, camtOf } from "./files.ts";
import { BANK } from "./month.ts";
import { useStatements } from "./world.ts";

const world = await useStatements();
const { others, known, pool, bus, refresh } = world;
const deps = { pool, bus, refresh };

const importDay = (...given: Parameters<typeof aDay>) =>
  world.importFile(new TextEncoder().encode(camtOf([aDay(...given)])));
const show = (day: string) => others.request(showDay, { day });
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    ({ code, detail }: Problem) => `${code}: ${detail}`,
  );

/** A transfer that accounts report, and the ledger's new balance at the end of its day. */
function report(id: string, day: string, amount: bigint, hour = 9) {
  const at = `${day}T${String(hour).padStart(2, "0")}:00:00.000+00:00`;
  const ids = { intake_id: `int_${id}`, bank_transfer_id: id, session_id: id.padStart(30, "0") };
  known.incoming.push({ ...ids, bank: BANK, amount: amount.toString(), paid_at: at, received_at: at });
  known.ledger.set(day, ([...known.ledger.values()].at(-1) ?? 0n) + amount);
}
const sessionOf = (id: string) => id.padStart(30, "0");

beforeAll(async () => {
  await world.declareAccount();
  report("1", "2026-10-01", 500n);
  report("2", "2026-10-02", 300n);
  known.ledger.set("2026-10-03", 800n);
});

describe("a day without a difference", () => {
  test("is not closed before its statement and what is known of it are here", async () => {
    expect(await codeOf(others.request(closeDay, { day: "2026-10-01" }))).toMatch(/^not_found/);
    await importDay("2026-10-01", 0n, [
      { amount: 500n, sessionId: null, references: [], narration: `X ${sessionOf("1")}` },
    ]);
    expect(await show("2026-10-01")).toMatchObject({
      ...{ state: "open", difference: "0", items_total: 0, blocked_by: null },
      ledger: { opening: "0", closing: "500" },
      accounts: [
        {
          opening: "0",
          in: "500",
          out: "0",
          charges: "0",
          closing: "500",
          lines: 1,
          matched: 1,
          booked: "500",
          difference: "0",
        },
      ],
    });
  });
  test("closes once, though three try at once", async () => {
    const closings = await Promise.all(
      ["ada", "ada", "ada"].map((by) => close({ pool, bus, refresh }, "2026-10-01", by)),
    );
    expect(await codeOf(close(deps, "2026-10-01", "bola"))).toBe("conflict: The day is closed already, by ada.");
    expect(new Set(closings.map(({ closed_by, closed_at }) => `${closed_by} ${closed_at}`)).size).toBe(1);
    expect(closings[0]).toMatchObject({ state: "closed", items_total: 0, blocked_by: null });
  });
  test("the next one closes after it, and today does not", async () => {
    await importDay("2026-10-02", 500n, [
      { amount: 250n, references: ["2"] },
      { amount: -10n, narration: "MAINTENANCE FEE" },
    ]);
    await importDay("2026-10-03", 740n, [{ amount: 70n, narration: "LOST" }]);
    expect((await show("2026-10-03")).blocked_by).toBe("Days are closed in order: the next one is 2026-10-02.");
    expect(await codeOf(others.request(closeDay, { day: "2099-01-01" }))).toMatch(/The day is not over|not_found/);
  });
});

describe("a day with a difference", () => {
  type Item = WireResult<typeof showDay>["items"][number];
  const explain = ({ key: item, amount }: Item, reason = "the bank says so") =>
    others.request(explainDifference, { day: "2026-10-02", item, amount, reason });

  test("is not closed while a line has no reason", async () => {
    const { items, accounts, difference, blocked_by } = await show("2026-10-02");
    expect(items).toMatchObject([
      { class: "charge", amount: "-10", what: "MAINTENANCE FEE", reason: null },
      { class: "different_amount", amount: "-50", reason: null },
    ]);
    expect(accounts).toMatchObject([{ in: "250", charges: "-10", booked: "300", difference: "-60" }]);
    expect([difference, blocked_by]).toEqual(["-60", "Lines of the difference without a reason: 2."]);
    expect(await codeOf(close(deps, "2026-10-02", "bola"))).toBe(
      "conflict: Lines of the difference without a reason: 2.",
    );
  });
  test("takes a reason for a line that is there, with its amount", async () => {
    const { items } = await show("2026-10-02");
    const [charge, other] = items;
    if (!charge || !other) throw new Error("the day has two lines");
    expect(await codeOf(explain({ ...charge, amount: "-11" }))).toMatch(/^not_found/);
    expect(await codeOf(explain({ ...charge, key: "line:0" }))).toMatch(/^not_found/);
    await explain(charge);
    expect((await show("2026-10-02")).blocked_by).toBe("Lines of the difference without a reason: 1.");
    await explain(other);
    expect((await show("2026-10-02")).items).toMatchObject([{ explained_by: "tester" }, { explained_by: "tester" }]);
  });
  test("takes one reason for all lines of a class, with their sum", async () => {
    const charges = (amount: string) =>
      others.request(explainDifference, {
        day: "2026-10-02",
        item: "charge",
        amount,
        reason: "the tariff of the bank",
      });
    expect(await codeOf(charges("-11"))).toMatch(/^not_found/);
    await charges("-10");
    expect((await show("2026-10-02")).items[0]).toMatchObject({ class: "charge", reason: "the tariff of the bank" });
  });
  test("is closed by another person than the one who gave the reasons", async () => {
    // The operator of the requests is the one who has explained.
    expect(await codeOf(others.request(closeDay, { day: "2026-10-02" }))).toMatch(/^second_person_required/);
    expect(await close(deps, "2026-10-02", "bola")).toMatchObject({ state: "closed", closed_by: "bola" });
  });
});

describe("a closed day", () => {
  let sheet: WireResult<typeof showDay>;
  beforeAll(async () => {
    sheet = await show("2026-10-02");
  });

  test("is proof against changes of its lines, its movements and its reasons", async () => {
    const refused = [
      "insert into lines (statement_id, position, part, account, booked_on, value_on, amount, refs, narration, is_charge) select id, 99, 0, account, '2026-10-02', '2026-10-02', 5, '{}', '', false from statements limit 1",
      "update lines set match_id = null where booked_on = '2026-10-02'",
      "update movements set amount = amount + 1 where booked_on = '2026-10-02'",
      "update movements set booked_on = '2026-10-05' where booked_on = '2026-10-02'",
      "update explanations set reason = 'another reason'",
      "update closings set closed_by = 'eve'",
      "delete from closings",
      "delete from lines",
    ];
    for (const sql of refused) await expect(world.owner.query(sql), sql).rejects.toThrow(/closed|refused|undone/);
    expect(await show("2026-10-02")).toEqual(sheet);
  });
  test("takes nothing that turns up later: it counts on the first open day", async () => {
    report("3", "2026-10-02", 70n, 23);
    known.ledger.set("2026-10-02", 800n);
    known.ledger.set("2026-10-03", 870n);
    await refresh();
    expect(await show("2026-10-02")).toEqual(sheet);
    // On the third it is matched with the line whose notification had been lost.
    expect(await show("2026-10-03")).toMatchObject({ difference: "0", items_total: 0 });
  });
  test("is reopened if it is the last, and its closing stays on record", async () => {
    const reason = "the bank corrected it";
    expect(await codeOf(others.request(reopenDay, { day: "2026-10-01", reason }))).toMatch(/^conflict/);
    await others.request(reopenDay, { day: "2026-10-02", reason });
    expect((await show("2026-10-02")).state).toBe("open");
    await close(deps, "2026-10-02", "bola");
    const { rows } = await world.owner.query(
      "select reopened_by, reason from closings where day = '2026-10-02' order by id",
    );
    expect(rows).toEqual([
      { reopened_by: "tester", reason },
      { reopened_by: null, reason: null },
    ]);
  });
});

test("a posting of the ledger that was not reported is a line of the difference", async () => {
  known.ledger.set("2026-10-03", 900n);
  const { items, difference } = await show("2026-10-03");
  expect([items, difference]).toMatchObject([[{ key: "ledger", class: "ledger", amount: "-30" }], "-30"]);
  known.ledger.set("2026-10-03", 870n);
});

test("a change that has seen a day open commits before its sheet is made, or not at all", async () => {
  await importDay("2026-10-04", 810n, [{ amount: 1n, narration: "A" }]);
  await close(deps, "2026-10-03", "bola");
  known.ledger.set("2026-10-04", 870n);
  const client = await pool.connect();
  await client.query("begin");
  // As a page of movements that is being stored.
  await client.query(
    "insert into movements (key, account, amount, occurred_on, booked_on, refs) select 'int_slow', number, 1, '2026-10-04', '2026-10-04', '{}' from bank_accounts",
  );
  const asked = close({ ...deps, refresh: async () => {} }, "2026-10-04", "bola");
  const closing: Promise<DaySheet | string> = asked.catch(({ detail }: Problem) => detail);
  await world.owner.query("select pg_sleep(0.3)");
  await client.query("commit");
  client.release();
  // The line of the bank, and the ledger, which has not booked the movement. That itself waits for the next statement.
  expect(await closing).toBe("Lines of the difference without a reason: 2.");
});

test("a day with a match by hand is closed by another person than the one who made it", async () => {
  const { rows } = await world.owner.query("select id::text from lines where booked_on = '2026-10-04'");
  await others.request(matchByHand, { lines: rows.map(({ id }) => id), movements: ["int_slow"] });
  known.ledger.set("2026-10-04", 871n);
  // It leaves no difference, and is shown to the one who closes.
  expect(await show("2026-10-04")).toMatchObject({
    ...{ difference: "0", items_total: 1, settled: [], blocked_by: null },
    items: [{ class: "by_hand", amount: "0", reason: "matched by hand", explained_by: "tester" }],
  });
  expect(await codeOf(close(deps, "2026-10-04", "tester"))).toMatch(/^second_person_required/);
  expect(await close(deps, "2026-10-04", "bola")).toMatchObject({ state: "closed" });
  // From now on no second person would see another one.
  const charge = await world.owner.query("select id::text from lines where narration = 'MAINTENANCE FEE'");
  const late = { lines: charge.rows.map(({ id }) => id), movements: ["int_slow"] };
  expect(await codeOf(others.request(matchByHand, late))).toMatch(/^conflict: The day is closed/);
});

test("a statement of a closed day is refused, as of an account whose first one comes late", async () => {
  const number = "7777777777";
  await world.declareAccount({ number, bank: "044", pays_out: false });
  const late = camtOf([aDay("2026-10-02", 0n, [{ amount: 5n }])]).replaceAll(ACCOUNT, number);
  expect(await codeOf(world.importFile(new TextEncoder().encode(late)))).toMatch(/^conflict: The day is closed/);
  const { rows } = await world.owner.query("select id from statements where account = $1", [number]);
  expect(rows).toEqual([]);
  // It is in no sum, and stops the closing.
  await importDay("2026-10-05", 811n, []);
  expect(await show("2026-10-05")).toMatchObject({
    accounts: [{ number: ACCOUNT }],
    blocked_by: `There is no complete statement of account ${number} for the day.`,
  });
});
