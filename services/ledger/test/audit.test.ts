import { getLedgerProof } from "@collect/contracts";
import { randomId, startComponents, until } from "@collect/testing";
import { beforeAll, expect, test } from "vitest";
import { AUDITING, createAuditWorker } from "../src/workers/audit.ts";
import { collect, useLedger } from "./ledger.ts";

const CHUNK = 700;
// A worker that runs only once: each test starts the workers it needs.
const ledger = await useLedger({ auditing: { everyMs: 86_400_000, chunkMax: CHUNK } });

beforeAll(async () => {
  const merchants = Array.from({ length: 40 }, () => randomId("mer"));
  for (let batch = 0; batch < 10; batch++)
    await collect(
      ledger.pool,
      Array.from({ length: 120 }, (_, index) => ({ merchant: merchants[index % 40] ?? "", shard: index % 2 })),
    );
});

const proof = () => ledger.others.request(getLedgerProof, {});
/** Runs two replicas of the audit until this many more rounds are finished, and returns the proof. */
async function audit({ rounds = 2, log = ledger.log } = {}) {
  const worker = () =>
    createAuditWorker({ pool: ledger.pool, log, auditing: { ...AUDITING, everyMs: 5, chunkMax: CHUNK } });
  const stop = await startComponents([worker(), worker()]);
  try {
    for (let round = 0; round < rounds; round++) {
      const { last_round_at } = (await proof()).entries;
      await until("a round is finished", async () => (await proof()).entries.last_round_at !== last_round_at);
    }
  } finally {
    await stop();
  }
  return proof();
}
/** One run of one replica, until the condition is true. */
async function auditOnce<Value>(auditing: { workMs: number; chunkMax: number }, come: () => Promise<Value>) {
  const worker = createAuditWorker({
    pool: ledger.pool,
    log: ledger.log,
    auditing: { recentMs: 0, ...auditing, everyMs: 86_400_000 },
  });
  const stop = await startComponents([worker]);
  try {
    return await until("the audit has reached the condition", come);
  } finally {
    await stop();
  }
}
/** One run that lasts to the end of the round. */
async function auditToTheEnd(chunkMax: number) {
  const { last_round_at } = (await proof()).entries;
  await auditOnce({ workMs: 60_000, chunkMax }, async () => (await proof()).entries.last_round_at !== last_round_at);
  return proof();
}
/** Changes the ledger as no service can: as the owner, with the triggers off. */
async function tamper(...statements: string[]) {
  const tables = ["entries", "transactions", "ledger_accounts"];
  await ledger.owner.query(
    [
      ...tables.map((table) => `alter table ${table} disable trigger user`),
      ...statements,
      ...tables.map((table) => `alter table ${table} enable trigger user`),
    ].join("; "),
  );
}

test("a ledger of thousands of entries is proven chunk by chunk, entry by entry, without differences", async () => {
  const { rows } = await ledger.owner.query("select count(*)::integer as entries from entries");
  expect(rows[0].entries).toBeGreaterThan(4 * CHUNK);
  const { rows: accounts } = await ledger.owner.query("select count(*)::integer as count from ledger_accounts");
  expect(await audit()).toEqual({
    proven_at: expect.stringMatching(/^\d{4}-/),
    holds: true,
    modes: [{ mode: "test", ledger_accounts: accounts[0].count, sum: "0" }],
    entries: {
      last_round_at: expect.stringMatching(/^\d{4}-/),
      last_round: rows[0].entries,
      this_round: expect.any(Number),
    },
    differences: [],
    parts: ["sums", "recent postings", "all postings"].map((name) =>
      expect.objectContaining({ name, holds: true, age_s: expect.any(Number), differences: [] }),
    ),
  });
});

test("the audit works chunk by chunk until its time budget is spent or the round is over, and resumes where it stopped", async () => {
  expect((await auditToTheEnd(CHUNK)).entries.this_round).toBe(0);
  const provenBy = async (entries: number) => (await proof()).entries.this_round === entries;
  // The first chunk has no previous entry to start from, so it covers one more.
  await auditOnce({ workMs: 0, chunkMax: 10 }, () => provenBy(11));
  await auditOnce({ workMs: 0, chunkMax: 10 }, () => provenBy(21));
  const { last_round, this_round } = (await auditToTheEnd(CHUNK)).entries;
  const { rows } = await ledger.owner.query("select count(*)::integer as entries from entries");
  expect({ last_round, this_round }).toEqual({ last_round: rows[0].entries, this_round: 0 });
});

test("a round finds a difference in the last of many chunks of entries, transactions and ledger accounts", async () => {
  await auditToTheEnd(CHUNK);
  const { rows } = await ledger.owner.query(`
    select account_id, account_version, key, id from
      (select account_id, account_version from entries order by account_id desc, account_version desc limit 1) as entry,
      (select key, id from transactions order by id desc limit 1) as transaction`);
  const [{ account_id, account_version, key, id }] = rows;
  const entry = `account_id = '${account_id}' and account_version = ${account_version}`;
  await tamper(
    `update entries set balance_after = balance_after - 1 where ${entry}`,
    `update transactions set mode = 'live' where id = ${id}`,
  );
  try {
    const { differences } = await auditToTheEnd(20);
    expect(differences.map(({ where }) => where)).toEqual([
      `entry ${account_id} version ${account_version}`,
      `transaction ${key}`,
      `ledger account ${account_id}`,
    ]);
  } finally {
    await tamper(
      `update entries set balance_after = balance_after + 1 where ${entry}`,
      `update transactions set mode = 'test' where id = ${id}`,
    );
  }
  expect(await auditToTheEnd(20)).toMatchObject({ holds: true, differences: [] });
});

test("the ledger has no differences while transactions are being posted", async () => {
  const merchants = [randomId("mer"), randomId("mer")];
  const posting = (async () => {
    for (let batch = 0; batch < 30; batch++)
      await collect(
        ledger.pool,
        Array.from({ length: 20 }, (_, index) => ({ merchant: merchants[index % 2] ?? "" })),
      );
  })();
  expect(await audit({ rounds: 3 })).toMatchObject({ holds: true, differences: [] });
  await posting;
});

/** A merchant with three collections; the keys and ids of their transactions are in version order. */
async function aVictim() {
  const merchant = randomId("mer");
  const posted = [];
  for (let n = 0; n < 3; n++) posted.push(...(await collect(ledger.pool, [{ merchant }])));
  return { account: `test:collected:${merchant}`, keys: posted.map(({ key }) => key), ids: posted.map(({ id }) => id) };
}

test.each<
  [string, (victim: Awaited<ReturnType<typeof aVictim>>) => { corrupt: string; repair: string; where: string[] }]
>([
  [
    "a changed amount",
    ({ account, keys }) => ({
      corrupt: `update entries set amount = amount - 1 where account_id = '${account}' and account_version = 2`,
      repair: `update entries set amount = amount + 1 where account_id = '${account}' and account_version = 2`,
      where: [`entry ${account} version 2`, `transaction ${keys[1]}`],
    }),
  ],
  [
    "a changed balance in the chain",
    ({ account }) => ({
      corrupt: `update entries set balance_after = balance_after - 1 where account_id = '${account}' and account_version = 2`,
      repair: `update entries set balance_after = balance_after + 1 where account_id = '${account}' and account_version = 2`,
      where: [`entry ${account} version 2`, `entry ${account} version 3`],
    }),
  ],
  [
    "a missing entry",
    ({ account, keys, ids }) => ({
      corrupt: `delete from entries where account_id = '${account}' and account_version = 2`,
      repair: `insert into entries values ('${account}', 2, -990, -1980, ${ids[1]})`,
      where: [`entry ${account} version 3`, `transaction ${keys[1]}`],
    }),
  ],
  [
    "a changed account",
    ({ account }) => ({
      corrupt: `update ledger_accounts set balance = balance - 5 where id = '${account}'`,
      repair: `update ledger_accounts set balance = balance + 5 where id = '${account}'`,
      where: [`ledger account ${account}`, "mode test"],
    }),
  ],
  [
    "a missing transaction",
    ({ ids }) => ({
      corrupt: `create table kept as select * from transactions where id = ${ids[1]}; delete from transactions where id = ${ids[1]}`,
      repair: "insert into transactions overriding system value select * from kept; drop table kept",
      where: [`transaction ${ids[1]}`],
    }),
  ],
  [
    "a transaction without entries, whose accounts were reset to before it",
    ({ keys, ids }) => ({
      corrupt: `create table kept as select * from entries where transaction_id = ${ids[2]};
        update ledger_accounts set version = version - 1, balance = balance - amount from kept where id = account_id;
        delete from entries where transaction_id = ${ids[2]}`,
      repair: `insert into entries select * from kept;
        update ledger_accounts set version = version + 1, balance = balance + amount from kept where id = account_id;
        drop table kept`,
      where: [`transaction ${keys[2]}`],
    }),
  ],
  [
    "a transaction of another mode",
    ({ keys, ids }) => ({
      corrupt: `update transactions set mode = 'live' where id = ${ids[1]}`,
      repair: `update transactions set mode = 'test' where id = ${ids[1]}`,
      where: [`transaction ${keys[1]}`],
    }),
  ],
])("%s is found, reported and alarmed, and once it is repaired the ledger has no differences again", async (_, of) => {
  const victim = await aVictim();
  const { corrupt, repair, where: expected } = of(victim);
  const alarms: object[] = [];
  await tamper(corrupt);
  try {
    const found = await audit({ log: { ...ledger.log, error: (fields: object) => void alarms.push(fields) } });
    expect(found.holds).toBe(false);
    expect(new Set(found.differences.map(({ where }) => where))).toEqual(new Set(expected));
    expect(alarms[0]).toMatchObject({ alarm: "ledger_differs" });
  } finally {
    await tamper(repair);
  }
  expect(await audit({ rounds: 3 })).toMatchObject({ holds: true, differences: [] });
});

test("the audit changes nothing but its own progress", async () => {
  const books = `select (select count(*) from transactions) as transactions, (select sum(version) from ledger_accounts) as versions`;
  const before = (await ledger.owner.query(books)).rows;
  await audit();
  expect((await ledger.owner.query(books)).rows).toEqual(before);
});
