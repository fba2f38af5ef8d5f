import { randomUUID } from "node:crypto";
import pg from "pg";
import { type Poster, SPREADS, type Spread, sequentially } from "./postings.ts";

/**
 * The baseline: a ledger with the same three legs in plain SQL, one collection per transaction, in statements
 * prepared once, without history checks or refused repeats. One poster for each number of connections: more of them
 * commit together, but wait for each other's locks on the bank's row.
 */
export function openPlainLedgers(admin: string, connections: number[]): Promise<Poster[]> {
  const spreads = Object.keys(SPREADS) as Spread[];
  return sequentially(
    spreads.flatMap((spread) => connections.map((count) => ({ spread, count }))),
    (kind) => openPlainLedger(admin, kind),
  );
}

async function openPlainLedger(admin: string, kind: { spread: Spread; count: number }): Promise<Poster> {
  const { spread, count } = kind;
  const clients = Array.from({ length: count }, () => new pg.Client(admin));
  await Promise.all(clients.map((client) => client.connect()));
  const schema = `plain_${spread}_${count}`;
  await clients[0]?.query(tables(schema, SPREADS[spread]));
  await Promise.all(clients.map((client) => client.query(`set search_path = ${schema}`)));
  let posted = 0;
  return {
    name: `plain${count}`,
    spread,
    async post() {
      await Promise.all(
        clients.map(async (client) => {
          for (let n = 0; n < EACH; n++) await post(client, `mer_${posted++ % SPREADS[spread]}`);
        }),
      );
      return EACH * count;
    },
    close: async () => void (await Promise.all(clients.map((client) => client.end()))),
  };
}

/** Collections that a connection posts before it waits for the others: enough to make the wait negligible. */
const EACH = 50;

async function post(client: pg.Client, merchant: string): Promise<void> {
  const [amount, fee] = [1_000_000, 10_000];
  await client.query({ name: "begin", text: "begin" });
  const { rows } = await client.query({
    name: "transaction",
    text: "insert into transactions (key, merchant, amount, fee) values ($1, $2, $3, $4) returning id",
    values: [randomUUID(), merchant, amount, fee],
  });
  const legs = [
    { account: merchant, amount: fee - amount },
    { account: "fees", amount: -fee },
    { account: "bank", amount },
  ];
  await client.query({
    name: "entries",
    text: `insert into entries (transaction_id, account, amount)
      values ($1, $2, $3::bigint), ($1, $4, $5::bigint), ($1, $6, $7::bigint)`,
    values: [rows[0].id, ...legs.flatMap(({ account, amount }) => [account, amount])],
  });
  // In one lock order; the rows shared by all connections come last, so that they are locked most briefly.
  for (const { account, amount } of legs) {
    await client.query({
      name: "balance",
      text: "update accounts set balance = balance + $2 where id = $1",
      values: [account, amount],
    });
  }
  await client.query({ name: "commit", text: "commit" });
}

const tables = (schema: string, merchants: number) => `
  create schema ${schema};
  set search_path = ${schema};
  create table accounts (id text primary key, balance bigint not null) with (fillfactor = 50);
  create table transactions (id bigint generated always as identity primary key, key text not null unique,
    merchant text not null, amount bigint not null, fee bigint not null, posted_at timestamptz not null default clock_timestamp());
  create table entries (id bigint generated always as identity primary key, transaction_id bigint not null,
    account text not null, amount bigint not null);
  insert into accounts select 'mer_' || n, 0 from generate_series(0, ${merchants - 1}) n;
  insert into accounts values ('fees', 0), ('bank', 0);
  analyze accounts`;
