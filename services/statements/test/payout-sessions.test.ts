import { expect, test } from "vitest";
import { aDay, camtOf } from "./files.ts";
import { useStatements } from "./world.ts";

const world = await useStatements();
const { known, refresh } = world;
const DAY = "2026-10-01";
const SESSION = "000023211018133747005000003198";

const order = {
  ...{ merchant_reference: "p", bank_code: "058", bank_name: "B", account_number: "0123456789", account_name: "P" },
  ...{ narration: null, created_at: `${DAY}T08:00:00.000+00:00` },
};
const pending = (transfer_id: string) => ({
  ...{ transfer_id, merchant: { id: "mer_1", mode: "live" as const }, amount: "40", order, outcome: null },
  ...{ completed_at: null, reversed_at: null },
});
const paid = { outcome: "success" as const, completed_at: `${DAY}T10:00:00.000+00:00` };
const sessions = async () =>
  (await world.owner.query("select key, session_id from movements order by key")).rows.map((row) => row.session_id);

test("of two payouts of one amount, the line of a session is matched with the one that the bank paid under it", async () => {
  await world.declareAccount();
  const lines = [{ amount: -40n, references: [], sessionId: SESSION, narration: `NIP ${SESSION}` }];
  await world.importFile(new TextEncoder().encode(camtOf([aDay(DAY, 100n, lines)])));
  known.payouts = [pending("trf_0000000000000001"), pending("trf_0000000000000002")];
  await refresh();
  expect(await sessions()).toEqual([null, null]);
  // The first is of a release that does not say.
  const [first, second] = [pending("trf_0000000000000001"), pending("trf_0000000000000002")];
  known.payouts = [
    { ...first, ...paid },
    { ...second, ...paid, session_id: SESSION },
  ];
  await refresh();
  expect(await sessions()).toEqual([null, SESSION]);
  const sql = "select key, evidence from movements join matches on matches.id = match_id";
  expect((await world.owner.query(sql)).rows).toEqual([{ key: "trf_0000000000000002", evidence: "session" }]);
});

test("what a restored payments has to learn again changes nothing of a closed day, and stops nothing", async () => {
  const { owner } = world;
  // As the release before stored it.
  await owner.query("update movements set kept = null where key = 'trf_0000000000000001'");
  await owner.query(`insert into closings (day, sheet, closed_by) values ($1, '{"items": []}', 'bola')`, [DAY]);
  const stored = async () => (await owner.query("select * from movements order by key")).rows;
  const before = await stored();
  const third = { ...pending("trf_0000000000000003"), amount: "41" };
  known.payouts = [{ ...pending("trf_0000000000000001"), session_id: SESSION }, pending("trf_0000000000000002"), third];
  await refresh();
  expect((await stored()).slice(0, 2)).toEqual(before);
  expect((await stored()).map(({ key }) => key)).toContain(third.transfer_id);
});
