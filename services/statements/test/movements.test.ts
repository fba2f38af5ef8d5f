import { matchByHand, type Problem, showDay } from "@collect/contracts";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createRefresh } from "../src/use-cases/refresh.ts";
import { ACCOUNT, aDay, camtOf } from "./files.ts";
import { BANK } from "./month.ts";
import { useStatements } from "./world.ts";

const world = await useStatements();
const { known, others, refresh } = world;
const DAY = "2026-10-01";
const at = (hour: number, day = DAY) => `${day}T${String(hour).padStart(2, "0")}:00:00.000+00:00`;

const incoming = (id: string, given: object = {}) => ({
  ...{ intake_id: `int_${id}`, bank: BANK, bank_transfer_id: id, amount: "100", paid_at: at(9), received_at: at(9) },
  ...given,
});
const order = {
  ...{ merchant_reference: "p", bank_code: "058", bank_name: "B", account_number: "0123456789", account_name: "P" },
  ...{ narration: null, created_at: at(8) },
};
const payout = (transfer_id: string, given: object = {}) => ({
  ...{ transfer_id, merchant: { id: "mer_1", mode: "live" as const }, amount: "40", order, outcome: null },
  ...{ completed_at: null, reversed_at: null },
  ...given,
});

beforeAll(async () => {
  await world.declareAccount();
  const lines = [
    ...[{ references: ["A"] }, { amount: 98n, references: ["B"] }, { references: ["LOST"], narration: "LOST" }],
    { amount: -40n, references: ["trf_0000000000000001"] },
  ];
  await world.importFile(
    new TextEncoder().encode(camtOf([aDay(DAY, 0n, lines), aDay("2026-10-02", 258n, [{ amount: 7n }])])),
  );
});
beforeEach(() => {
  known.incoming = [incoming("A"), incoming("B", { bank_fee: "1", bank_vat: "1" })];
  known.payouts = [payout("trf_0000000000000001", { outcome: "success", completed_at: at(10) })];
});

/** Each line's narration or amount, with how it is matched. */
async function matches() {
  await refresh();
  const { rows } = await world.owner.query(
    `
    select refs[1] as line, evidence, (select array_agg(key) from movements where match_id = lines.match_id) as with
    from lines left join matches on matches.id = match_id where booked_on = $1 order by lines.id`,
    [DAY],
  );
  return rows.map(({ line, evidence, with: keys }) => [line, evidence, keys]);
}
const MATCHED = [
  ["A", "reference", ["int_A"]],
  ["B", "reference", ["int_B"]],
  ["LOST", null, null],
  ["trf_0000000000000001", "reference", ["trf_0000000000000001"]],
];

test("what reached the account is matched: the gross less what the bank kept, and payouts by our id", async () => {
  expect(await matches()).toEqual(MATCHED);
});

test("a transfer whose charges are all of it reaches no account, and does not stop the reading, nor does its way back", async () => {
  const kept = incoming("KEPT", { amount: "5", bank_fee: "4", bank_vat: "1" });
  const back = incoming("KEPTBACK", { amount: "-5", bank_fee: "-4", bank_vat: "-1" });
  known.incoming.push(kept, back, incoming("ZLAST", { amount: "3" }));
  await refresh();
  const { rows } = await world.owner.query("select key from movements where key ~ 'KEPT|ZLAST'");
  expect(rows).toEqual([{ key: "int_ZLAST" }]);
  await world.owner.query("delete from movements where key = 'int_ZLAST'");
});

test("a second run changes nothing, not even the ids of the matches", async () => {
  const { rows: before } = await world.owner.query("select id, evidence, made_at from matches order by id");
  expect(await matches()).toEqual(MATCHED);
  expect((await world.owner.query("select id, evidence, made_at from matches order by id")).rows).toEqual(before);
});

test("many pages are read to the end, and each movement once, by replicas at the same time", async () => {
  const many = Array.from({ length: 4_500 }, (_, n) =>
    incoming(`M${n}`, { amount: "3", bank: n < 4_499 ? "000" : BANK, received_at: at(11) }),
  );
  known.incoming.push(...many, incoming("LAST", { amount: "7", received_at: at(12), paid_at: at(9, "2026-10-02") }));
  const replicas = Array.from({ length: 3 }, () => createRefresh(world));
  await Promise.all(replicas.map((read) => read()));
  const { rows } = await world.owner.query(
    "select key from movements where key in ('int_LAST', 'int_M1', 'int_M4499')",
  );
  // Those of a bank without an account here are passed over.
  expect(rows.map(({ key }) => key).toSorted()).toEqual(["int_LAST", "int_M4499"]);
});

test("a lost notification that comes later is matched with its line", async () => {
  const { items } = await others.request(showDay, { day: DAY });
  expect(items).toContainEqual(expect.objectContaining({ class: "bank_only", amount: "100", what: "LOST" }));
  known.incoming.push(incoming("LOST", { paid_at: at(9), received_at: at(13) }));
  expect((await matches())[2]).toEqual(["LOST", "reference", ["int_LOST"]]);
});

test("a match by the amount gives way to better evidence", async () => {
  const amounts = async () =>
    (await world.owner.query("select evidence from lines join matches on matches.id = match_id where amount = 7")).rows;
  await refresh();
  expect(await amounts()).toEqual([{ evidence: "amount" }]);
  await world.owner.query("update lines set refs = '{LATER}' where amount = 7");
  known.incoming.push(incoming("LATER", { amount: "7", received_at: at(14), paid_at: at(9, "2026-10-02") }));
  await refresh();
  expect(await amounts()).toEqual([{ evidence: "reference" }]);
});

describe("a payout", () => {
  const dayOf = async (key: string) => {
    await refresh();
    const sql = "select booked_on::text as on, is_void, amount from movements where key = $1";
    const { rows } = await world.owner.query(sql, [key]);
    return rows.map(({ on, is_void, amount }) => [on, is_void, Number(amount)])[0];
  };
  test("is in our books once it has succeeded, and on that day", async () => {
    known.payouts.push(payout("trf_pending"));
    expect(await dayOf("trf_pending")).toEqual([null, false, -40]);
    known.payouts = [payout("trf_pending", { outcome: "success", completed_at: at(10, "2026-10-02") })];
    expect(await dayOf("trf_pending")).toEqual(["2026-10-02", false, -40]);
  });
  test("that failed is nothing that the bank should have", async () => {
    known.payouts.push(payout("trf_failed", { outcome: "failed", completed_at: at(10) }));
    expect(await dayOf("trf_failed")).toEqual([null, true, -40]);
  });
  test("that was reversed comes back as a movement of its own", async () => {
    known.payouts.push(
      payout("trf_back", { outcome: "reversed", completed_at: at(10), reversed_at: at(11, "2026-10-02") }),
    );
    expect(await dayOf("trf_back")).toEqual([DAY, false, -40]);
    expect(await dayOf("trf_back:reversed")).toEqual(["2026-10-02", false, 40]);
  });
  test("of test mode is not the bank's", async () => {
    known.payouts.push(payout("trf_test", { merchant: { id: "mer_1", mode: "test" } }));
    expect(await dayOf("trf_test")).toBeUndefined();
  });
});

test("a movement that comes again with another amount stays as it is, and raises an alarm", async () => {
  known.incoming = [incoming("A", { amount: "200", received_at: at(15) })];
  await refresh();
  expect(world.alarms).toContainEqual(expect.objectContaining({ alarm: "movement_changed", keys: ["int_A"] }));
  const { rows } = await world.owner.query("select amount from movements where key = 'int_A'");
  expect(rows).toEqual([{ amount: 100n }]);
});

describe("a match by hand", () => {
  const idOf = async (where: string) =>
    (await world.owner.query(`select id::text, match_id from lines where ${where}`)).rows[0];
  test("takes the place of what was found, and is kept", async () => {
    const { id } = await idOf("refs[1] = 'LOST'");
    const { match } = await others.request(matchByHand, { lines: [id], movements: ["int_A"] });
    expect(match).toBe(id);
    expect((await matches()).slice(0, 3)).toEqual([
      // Free again, it has the amount of the other one, and another id.
      ["A", null, null],
      ["B", "reference", ["int_B"]],
      ["LOST", "hand", ["int_A"]],
    ]);
    expect(await others.request(matchByHand, { lines: [id], movements: ["int_A"] })).toEqual({ match });
  });
  test("of what does not exist is refused", async () => {
    const asked = others.request(matchByHand, { lines: ["999999"], movements: ["int_A"] });
    expect(await asked.catch(({ code }: Problem) => code)).toBe("not_found");
  });
});

test("money that is booked and that the bank's statements lack is counted, with its ids in the alarm", async () => {
  const { countMissing } = await import("../src/store/missing.ts");
  // int_B and the payouts of the tests above: only the first day is proved by the statement of the second.
  const { count, keys } = await countMissing(world.pool);
  expect([count, keys]).toEqual([keys.length, expect.arrayContaining(["trf_back"])]);
});

test("what is in no match is read however many matches by the amount there are", async () => {
  const { readOpen, readWeak } = await import("../src/store/matches.ts");
  await world.owner.query("insert into matches (id, evidence) select id, 'amount' from lines where refs[1] = 'A'");
  await world.owner.query("update lines set match_id = id where refs[1] = 'A'");
  await world.owner.query(
    "update movements set match_id = (select id from lines where refs[1] = 'A') where key = 'int_M4499'",
  );
  await world.owner.query("update lines set match_id = null where amount = 7");
  expect((await readOpen(world.pool, ACCOUNT, 1)).lines).toMatchObject([{ amount: 7n, match: null }]);
  expect((await readWeak(world.pool, ACCOUNT, 1)).lines).toMatchObject([{ amount: 100n, match: expect.any(BigInt) }]);
});

describe("an account that is named later", () => {
  const NUMBER = "7777777777";
  const keys = async () =>
    (await world.owner.query("select key from movements where account = $1 order by key", [NUMBER])).rows.map(
      ({ key }) => key,
    );
  const declare = (given: object = {}) =>
    world.declareAccount({ number: NUMBER, bank: "044", pays_out: false, ...given });
  const other = (id: string, day: string) =>
    incoming(id, { bank: "044", received_at: at(9, day), paid_at: at(9, day) });

  beforeEach(() => {
    known.incoming = [other("old", "2026-09-20"), other("late", "2026-10-02"), other("own", "2026-10-05")];
  });

  test("has what its first statement can have, which was passed over before", async () => {
    await refresh();
    await declare();
    await refresh();
    expect(await keys()).toEqual([]);
    const camt = camtOf([aDay("2026-10-04", 0n, [{}])]).replaceAll(ACCOUNT, NUMBER);
    await world.importFile(new TextEncoder().encode(camt));
    await refresh();
    expect(await keys()).toEqual(["int_late", "int_own"]);
  });
  test("and misses nothing though a reading was under way when its statement came", async () => {
    await world.owner.query("delete from movements where account = $1", [NUMBER]);
    const { rows } = await world.owner.query("select generation from positions where source = 'accounts'");
    const { readFrom, setPosition } = await import("../src/store/movements.ts");
    await readFrom(world.pool, "2026-10-04");
    const stale = { source: "accounts" as const, at: { at: at(9, "2026-11-01"), key: "" }, completeTo: null };
    expect(await setPosition(world.pool, { ...stale, generation: rows[0].generation })).toBe(false);
    await refresh();
    expect(await keys()).toEqual(["int_late", "int_own"]);
  });
  test("keeps its place when only its words change, and reads again when its bank does", async () => {
    const generations = async () =>
      (await world.owner.query("select generation from positions order by source")).rows.map(
        ({ generation }) => generation,
      );
    const before = await generations();
    await declare({ charge_words: ["SMS ALERT"] });
    expect(await generations()).toEqual(before);
    await declare({ bank: "070" });
    expect(await generations()).toEqual(before.map((generation: number) => generation + 1));
  });
});
