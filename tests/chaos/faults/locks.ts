import pg from "pg";
import type { Injection } from "../world.ts";

/** The rows of one merchant that a stuck transaction may lock. */
const ROWS: Record<string, { service: "accounts" | "ledger" | "payments" | "webhooks"; sql: string }> = {
  ledger_account: {
    service: "ledger",
    sql: "select 1 from ledger_accounts where id = 'live:collected:' || $1 for update",
  },
  webhook_counter: {
    service: "webhooks",
    sql: "select 1 from counters where merchant_id = $1 and mode = 'live' for update",
  },
  payment_session: {
    service: "payments",
    sql: "select 1 from sessions where merchant_id = $1 order by created_at desc limit 3 for update",
  },
  inbound_transfers: {
    service: "accounts",
    sql: "select 1 from inbound_transfers where merchant_id = $1 and mode = 'live' order by received_at desc limit 50 for update",
  },
};

export const lock: Injection = async ({ stack, merchants }, { target, merchant }) => {
  const rows = ROWS[target];
  const id = merchants[merchant]?.id;
  if (!rows || !id) throw new Error(`${target} of merchant ${merchant} cannot be locked`);
  const client = new pg.Client({ connectionString: stack.databaseUrl(rows.service) });
  client.on("error", () => {});
  await client.connect();
  await client.query("begin");
  await client.query(rows.sql, [id]);
  return () => client.end().catch(() => {});
};
