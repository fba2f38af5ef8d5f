import { closeDay, holdMissingCredit, importStatements, missingIdOf } from "@collect/contracts";
import { startServiceProcess, until } from "@collect/testing";
import { expect, onTestFinished, test } from "vitest";
import { closeDay as close } from "../src/use-cases/days.ts";
import { holdMissingCredit as holdCredit } from "../src/use-cases/hold-missing.ts";
import { importFile } from "../src/use-cases/import-file.ts";
import { createRefresh } from "../src/use-cases/refresh.ts";
import { ACCOUNT, aDay, camtOf } from "./files.ts";
import { BANK } from "./month.ts";
import { useStatements } from "./world.ts";

const OTHER = "7777777777";
const DAY = "2026-10-01";
const world = await useStatements({ isRunning: false });
const { pool, owner, others, known } = world;

/** The service as a process of its own, ready. */
async function startProcess() {
  const started = startServiceProcess(world, "statements");
  await started.ready;
  return started;
}

/** Holds what a process needs next, so that it stops there, with what it has written not committed. */
async function hold(sql: string, values: string[]): Promise<{ release(): Promise<void> }> {
  const client = await owner.connect();
  await client.query("begin");
  await client.query(sql, values);
  let isHeld = true;
  const release = async () => {
    if (!isHeld) return;
    isHeld = false;
    await client.query("rollback");
    client.release();
  };
  onTestFinished(release);
  return { release };
}

const holdAll = (table: string) => hold(`lock table ${table} in share mode`, []);

/** The process has come to where it is held: other work of it may wait for a moment elsewhere. */
const untilStopped = (at: string) =>
  until(`stopped where ${at}`, async () => {
    const { rows } = await owner.query(`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and ${at}`);
    return rows.length === 1;
  });

async function rowsOf(
  table: "files" | "statements" | "lines" | "file_parts" | "matches" | "closings",
): Promise<number> {
  const { rows } = await owner.query(`select count(*)::integer as n from ${table}`);
  return rows[0].n;
}

/** Of two accounts: the second is stored after the first. */
const [head = "", ofOther = ""] = camtOf([aDay(DAY, 0n, [{}])])
  .replaceAll(ACCOUNT, OTHER)
  .split(/(?=<Stmt>)/);
const of = Array.from({ length: 300 }, (_, n) => ({ references: [`R${n}`] }));
const [, ofOurs = ""] = camtOf([aDay(DAY, 0n, of)]).split(/(?=<Stmt>)|(?<=<.Stmt>)/);
const file = new TextEncoder().encode(head + ofOurs + ofOther);

test("a file whose process is killed between its statements is not taken, and is by another that tried at once", async () => {
  const dying = await startProcess();
  await world.declareAccount();
  await world.declareAccount({ number: OTHER, bank: "044", pays_out: false });
  const { hash, parts } = await world.put(file);
  const given = { hash, parts, name: "october" };
  const second = await hold("select from bank_accounts where number = $1 for update", [OTHER]);
  others.request(importStatements, given).catch(() => {});
  await untilStopped("query like '%charge_words from bank_accounts%' and backend_xid is not null");
  const importing = importFile(pool, given, "ada");
  await untilStopped("query like '%hashtext(''imports'')%'");
  await dying.die();
  expect(await rowsOf("files")).toBe(0);
  await second.release();
  expect(await importing).toMatchObject({ is_new: true, statements: [{ lines: 300 }, { lines: 1 }] });
  await startProcess();
  expect(await others.request(importStatements, given)).toMatchObject({ is_new: false });
  expect([await rowsOf("files"), await rowsOf("statements"), await rowsOf("lines")]).toEqual([1, 2, 301]);
});

test("a file whose process is killed once it is taken is the same file, and its parts do not stay", async () => {
  const dying = await startProcess();
  const next = new TextEncoder().encode(camtOf([aDay("2026-10-02", 30_000n, [])]));
  const { hash, parts } = await world.put(next);
  const given = { hash, parts, name: "october" };
  const bytes = await hold("select from file_parts where hash = $1 for update", [hash]);
  others.request(importStatements, given).catch(() => {});
  await untilStopped("query like 'delete from file_parts%'");
  await dying.die();
  await bytes.release();
  await startProcess();
  expect(await others.request(importStatements, given)).toMatchObject({ is_new: false, statements: [{ lines: 0 }] });
  expect([await rowsOf("statements"), await rowsOf("file_parts")]).toEqual([3, 0]);
});

test("matches whose process is killed before they are complete are none, and are made once by others at once", async () => {
  known.incoming = Array.from({ length: 300 }, (_, n) => ({
    ...{ intake_id: `int_${n}`, bank: BANK, bank_transfer_id: `R${n}`, amount: "100" },
    ...{ paid_at: `${DAY}T09:00:00.000+00:00`, received_at: `${DAY}T09:00:00.000+00:00` },
  }));
  known.ledger.set(DAY, 30_000n);
  known.ledger.set("2026-10-02", 30_000n);
  const line = await hold("select from lines where refs @> array[$1] for update", ["R200"]);
  const dying = await startProcess();
  await untilStopped("query like '%update lines set match_id%'");
  await dying.die();
  await line.release();
  await Promise.all([createRefresh(world)(), createRefresh(world)()]);
  const { rows } = await owner.query(`
    select from lines join movements using (match_id) where movements.key = 'int_' || substr(lines.refs[1], 2)`);
  expect([await rowsOf("matches"), rows.length]).toEqual([300, 300]);
});

test("a credit that never came, and whose process is killed before it is held or matched with its reversal, is so once by others", async () => {
  const at = `${DAY}T09:00:01.000+00:00`;
  const row = { bank: BANK, paid_at: at, received_at: at };
  const credit = { ...row, intake_id: "int_never", bank_transfer_id: "NEVER", amount: "70" };
  const reversal = { ...row, intake_id: "int_back", bank_transfer_id: missingIdOf("int_never"), amount: "-70" };
  const given = { intake_id: "int_never", despite_lines: [] };
  const matched = async () =>
    (await owner.query("select key, evidence from movements join matches on id = match_id where id < 0 order by key"))
      .rows;
  known.incoming = [...known.incoming, credit];
  for (const [act, evidence] of [
    [() => holdCredit({ pool, refresh: createRefresh(world) }, given), "amount"],
    [createRefresh(world), "reference"],
  ] as const) {
    const before = await matched();
    const dying = await startProcess();
    const matches = await holdAll("matches");
    others.request(holdMissingCredit, given).catch(() => {});
    await untilStopped("query like '%matches%'");
    await dying.die();
    await matches.release();
    expect(await matched()).toEqual(before);
    await Promise.all([act(), act()]);
    const keys = evidence === "amount" ? ["int_never"] : ["int_back", "int_never"];
    expect(await matched()).toEqual(keys.map((key) => ({ key, evidence })));
    known.incoming = [...known.incoming, reversal].filter((each, index, all) => all.indexOf(each) === index);
  }
});

test("a day whose process is killed while it closes is open, and is closed once by two at once", async () => {
  const paid =
    "insert into explanations (day, item, amount, reason, explained_by, is_own) select $1, 'line:' || id, amount, 'ours', 'ada', true from lines where account = $2";
  await owner.query(paid, [DAY, OTHER]);
  const day = await hold("insert into closings (day, sheet, closed_by) values ($1, '{}', 'ada')", [DAY]);
  const dying = await startProcess();
  others.request(closeDay, { day: DAY }).catch(() => {});
  await untilStopped("query like 'insert into closings%'");
  await dying.die();
  await day.release();
  expect(await rowsOf("closings")).toBe(0);
  const deps = { pool, bus: world.bus, refresh: world.refresh };
  const closings = await Promise.allSettled(["bola", "chidi"].map((by) => close(deps, DAY, by)));
  expect(closings.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(await rowsOf("closings")).toBe(1);
});

test("own funds whose process is killed once the ledger has them, and before that is noted, are booked once", async () => {
  const noted = await hold("lock table booked_own_funds in access exclusive mode", []);
  const dying = await startProcess();
  await untilStopped("query like '%delete from booked_own_funds%'");
  await dying.die();
  const booked = { day: DAY, account: OTHER, total: 100n, version: 1 };
  expect([...known.ownFunds.values()]).toEqual([booked]);
  await noted.release();
  await startProcess();
  await until("it is noted", async () => {
    const { rows } = await owner.query("select account, total::integer from booked_own_funds");
    return rows.length === 1 && rows[0].account === OTHER && rows[0].total === 100;
  });
  expect([...known.ownFunds.values()]).toEqual([booked]);
});
