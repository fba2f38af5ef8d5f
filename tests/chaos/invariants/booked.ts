import { deadLetterRequests } from "@collect/contracts";
import { until } from "@collect/testing";
import type { Reported } from "../observations.ts";
import type { Invariant } from "./invariant.ts";
import { listed } from "./invariant.ts";

const CHUNK = 1_000;

/** Compares the services' databases, read as their owner, with the bank's reports. */
export const booked: Invariant = async (world) => [
  ...(await intakeAndLedger(world)),
  ...(await counts(world)),
  ...(await chains(world)),
  ...(await deadLetters(world)),
];

type Intake = { bank_transfer_id: string; intake_id: string; amount: bigint; completed: boolean };

const intakeAndLedger: Invariant = async ({ stack, observations }) => {
  const acknowledged = observations.reported.filter(({ acknowledgedAt }) => acknowledgedAt !== undefined);
  const wrong = { missing: [] as string[], amount: [] as string[], open: [] as string[], posted: [] as string[] };
  for (const chunk of chunks(acknowledged)) {
    const { rows } = await stack.database("accounts").query<Intake>(
      `select bank_transfer_id, intake_id, amount, completed_at is not null as completed
         from inbound_transfers where mode = 'live' and bank_transfer_id = any($1)`,
      [chunk.map(({ id }) => id)],
    );
    const intake = new Map(rows.map((row) => [row.bank_transfer_id, row]));
    const { rows: posted } = await stack
      .database("ledger")
      .query<{ key: string; amount: bigint }>("select key, amount from transactions where key = any($1)", [
        rows.map(({ intake_id }) => intake_id),
      ]);
    const ledger = new Map(posted.map(({ key, amount }) => [key, amount]));
    for (const { id, amount } of chunk) {
      const row = intake.get(id);
      if (!row) wrong.missing.push(id);
      else if (row.amount !== BigInt(amount)) wrong.amount.push(`${id}: ${row.amount} of ${amount}`);
      else if (ledger.get(row.intake_id) !== row.amount)
        wrong.posted.push(`${id}: ${ledger.get(row.intake_id) ?? "nothing"} of ${amount}`);
      if (row && !row.completed) wrong.open.push(id);
    }
  }
  return [
    ...listed("acknowledged but not recorded", wrong.missing),
    ...listed("recorded with another amount", wrong.amount),
    ...listed("not posted as recorded", wrong.posted),
    ...listed("recorded but never completed", wrong.open),
  ];
};

/** No service has more than was reported, and all have the same count and sum. */
const counts: Invariant = async ({ stack, observations, merchants }) => {
  const violations: string[] = [];
  const known = observations.reported.map(({ id }) => id);
  for (const [index, { id }] of merchants.entries()) {
    const of = async (service: "accounts" | "ledger" | "payments" | "webhooks", sql: string) => {
      const { rows } = await stack
        .database(service)
        .query<{ count: bigint; sum: bigint }>(
          `select count(*) as count, coalesce(sum(amount), 0)::bigint as sum from (${sql}) held`,
          [id],
        );
      return `${rows[0]?.count} with ${rows[0]?.sum}`;
    };
    const totals = {
      accounts: await of("accounts", "select amount from inbound_transfers where mode = 'live' and merchant_id = $1"),
      ledger: await of(
        "ledger",
        "select amount from transactions where kind = 'collection' and mode = 'live' and merchant_id = $1",
      ),
      payments: await of("payments", "select amount from collections where mode = 'live' and merchant_id = $1"),
      webhooks: await of(
        "webhooks",
        "select amount_kobo as amount from events where kind = 'collection.success' and mode = 'live' and merchant_id = $1",
      ),
    };
    if (new Set(Object.values(totals)).size > 1) violations.push(`merchant ${index}: ${JSON.stringify(totals)}`);
  }
  const { rows } = await stack
    .database("accounts")
    .query<{ bank_transfer_id: string }>("select bank_transfer_id from inbound_transfers where mode = 'live'");
  const reported = new Set(known);
  const unreported = rows.filter(({ bank_transfer_id }) => !reported.has(bank_transfer_id));
  return [
    ...listed("services that differ in count or sum", violations),
    ...listed(
      "recorded but never reported",
      unreported.map(({ bank_transfer_id }) => bank_transfer_id),
    ),
  ];
};

const CHAINS = {
  "a transaction that does not balance":
    "select transaction_id::text as id from entries group by 1 having sum(amount) <> 0 or count(*) < 2",
  "a broken chain": `
    select account_id || ' ' || account_version as id from (
      select *, lag(balance_after, 1, 0::bigint) over chain as before, row_number() over chain as position
      from entries window chain as (partition by account_id order by account_version)) links
    where balance_after <> before + amount or account_version <> position`,
  "a balance that is not the sum of its entries": `
    select coalesce(a.id, account_id) as id from ledger_accounts a
    full join (select account_id, sum(amount) as sum, count(*) as count from entries group by 1) e on account_id = a.id
    where (balance, version) is distinct from (sum, count)`,
  "a mode whose balances do not sum to zero":
    "select mode as id from ledger_accounts group by 1 having sum(balance) <> 0",
};

const chains: Invariant = async ({ stack }) => {
  const violations: string[] = [];
  for (const [what, sql] of Object.entries(CHAINS)) {
    const { rows } = await stack.database("ledger").query<{ id: string }>(sql);
    violations.push(
      ...listed(
        what,
        rows.map(({ id }) => id),
      ),
    );
  }
  return violations;
};

const deadLetters: Invariant = async ({ stack }) => {
  const violations: string[] = [];
  for (const [service, { list }] of Object.entries(deadLetterRequests)) {
    const found = await until(`${service} lists its dead letters`, () =>
      stack.bus.request(list, {}).catch(() => undefined),
    );
    const lines = found.dead_letters.map(({ consumer, natural_key, error }) => `${consumer} ${natural_key}: ${error}`);
    violations.push(...listed(`a dead letter of ${service}`, lines));
  }
  return violations;
};

function* chunks(all: readonly Reported[]): Generator<Reported[]> {
  for (let at = 0; at < all.length; at += CHUNK) yield all.slice(at, at + CHUNK);
}
