import { createPool } from "@collect/database";
import { createLogger } from "@collect/runtime";

/** Rows per table. Half belong to the big merchant and five to the small one; the middle merchants share the others. */
export const ROWS = 1_000_000;
export const MERCHANTS = { big: "mer_0", middle: "mer_7", small: "mer_999" } as const;
export type MerchantSize = keyof typeof MERCHANTS;
/** One row in this many, always one of the big merchant's, has a rare status or kind. */
const RARE_EVERY = ROWS / 20;

/** The merchant of row `n`, and its number among the merchant's rows. The small merchant has the first five, so that even its deep pages contain rows. */
const MERCHANT = `case when n <= 5 then '${MERCHANTS.small}' when n % 2 = 0 then '${MERCHANTS.big}' else 'mer_' || (1 + n / 2 % 998) end`;
const SEQUENCE = "case when n <= 5 then n when n % 2 = 0 then n / 2 else 1 + n / 2 / 998 end";
/** Rows are stored in the order of their times, eight seconds apart. */
const AT = "timestamptz '2026-08-01' + n * interval '8 seconds'";
/** The name of person `n`. */
export const nameOf = (n: string) =>
  `(array['Ada','Bola','Chidi','Dayo','Emeka','Funmi','Gbenga','Halima','Ife','Jide'])[1 + ${n} % 10] || ' ' ||
  (array['Obi','Ade','Bello','Okoro','Musa','Eze','Sani','Udo'])[1 + ${n} / 10 % 8] || ' ' || ${n}`;
const NAME = nameOf("n");
/** "hot" has a fifth of the big merchant's rows, "regular" a thousand, and "former" its two thousand oldest. */
const CUSTOMER = `case when n % 10 = 0 then 'hot' when n % 1000 = 4 then 'regular' when n % 2 = 0 and n < 4000 then 'former' else 'cust_' || n end`;
const from = (columns: string) =>
  `select ${columns} from (select n, ${MERCHANT} as merchant, ${SEQUENCE}::bigint as sequence, ${AT} as at from generate_series(1, ${ROWS}) n) rows`;

/** The settlement of the big merchant that settled four fifths of its collections; every other one settled one. */
export const WIDE = ROWS * 0.8;

type Fill = Record<string, string[]>;

const TABLES: Fill = {
  accounts: [
    `insert into customer_accounts (id, merchant_id, mode, customer_reference, customer_name, account_number, account_name,
       bank_name, issue_request_id, status, created_at, retired_at, copied_at, metadata)
     ${from(`'cus_' || n, merchant, 'live', 'cust_' || n, ${NAME}, lpad(n::text, 10, '0'), 'Stores / Customer', 'Harbour Bank', 'req_' || n,
       case n % ${RARE_EVERY} when 0 then 'retired' else 'active' end, at, case n % ${RARE_EVERY} when 0 then at end, at,
       case n % 4 when 2 then jsonb_build_object('branch', 'yaba', 'till', 'till-' || n) else '{}' end`)}`,
    `insert into inbound_transfers (intake_id, bank, mode, bank_transfer_id, account_number, amount, currency, payer_name, paid_at,
       received_at, merchant_id, customer_reference, customer_name, drive_at, completed_at)
     ${from(`'int_' || n, '729', 'live', 'bank_' || n, lpad(n::text, 10, '0'), 10000, 'NGN', ${NAME}, at, at, merchant, 'cust_' || n,
       'Customer', timestamptz '2036-01-01', case when n % ${RARE_EVERY} > 0 then at end`)}`,
    `insert into quarantined_transfers (bank, mode, bank_transfer_id, account_number, amount, currency, reason, received_at, merchant_id)
     ${from("'729', 'live', 'held_' || n, lpad(n::text, 10, '0'), 10000, 'NGN', 'contradicts', at, merchant")} where n % 10 = 0`,
  ],
  payments: [
    `insert into payers (id, merchant_id, mode, bank_name, account_number, name, created_at)
     ${from(`n, merchant, 'live', 'Zenith', case when n % 1000 = 4 then '7777777777' else lpad(n::text, 10, '0') end, ${NAME}, at`)}`,
    `insert into collections (intake_id, reference, merchant_id, mode, account_number, customer_reference, customer_name, payer_id,
       amount, fee, net, currency, payment_reference, merchant_reference, paid_at, received_at, posted_at, created_at)
     ${from(`'int_' || n, 'col_' || n, merchant, 'live', case when n % 10 = 0 then '9000000000' else lpad(n::text, 10, '0') end, ${CUSTOMER},
       'Customer', case when n % 10 = 0 and n > 10 then 10 else n end, 10000, 100, 9900, 'NGN', case n % 4 when 2 then 'pay_' || n end,
       case n % 4 when 2 then 'order-' || n end, at, at, at, at`)}`,
    `insert into sessions (reference, merchant_id, mode, merchant_name, merchant_reference, opened_by, payment_link, link_key, amount,
       amount_requested, amount_received, account_number, account_name, bank_name, is_customer_account, customer_reference,
       payer_name, payer_email, details_required, status, created_at, expires_at, watch_until, paid_at, slot_held, metadata)
     ${from(`'pay_' || n, merchant, 'live', 'Stores', case n % 10 when 8 then 'donation' when 6 then null else 'order-' || n end,
       case n % 10 when 8 then 'public_key' when 6 then 'payment_link' else 'secret_key' end, case n % 10 when 6 then 'paymentLnk' end,
       case n % 10 when 6 then n::text end, 1000001, 1000000,
       case when n % ${RARE_EVERY} = 0 then 2000000 when n % 3 > 0 then 1000001 else 0 end, lpad(n::text, 10, '0'), 'Stores', 'Harbour Bank',
       true, ${CUSTOMER}, case n % 10 when 6 then ${NAME} end, case n % 10 when 6 then 'payer' || n || '@example.com' end, false,
       case when n % ${RARE_EVERY} = 0 then 'overpaid' when n % 3 > 0 then 'paid' else 'expired' end, at, at, at,
       case when n % ${RARE_EVERY} = 0 or n % 3 > 0 then at end, false,
       case n % 4 when 2 then jsonb_build_object('branch', 'yaba', 'till', 'till-' || n) else '{}' end`)}`,
    `insert into transfers (reference, merchant_id, mode, merchant_reference, amount, bank_code, bank_name, account_number, account_name,
       step, status, verdict, created_at, sent_at, completed_at, reversed_at)
     ${from(`'trf_' || n, merchant, 'live', 'order-' || n, 10000, '058', 'GTB',
       case when n % 10 = 0 then '8000000000' else lpad(n::text, 10, '0') end, 'Ada', 'told', status, status, at, at, at,
       case status when 'reversed' then at end`)}
     cross join lateral (select case when n % ${RARE_EVERY} = 0 then 'reversed' when n % 20 > 1 then 'success' else 'failed' end as status) s`,
    `insert into payment_links (slug, merchant_id, mode, merchant_name, key, title, amount, created_at)
     ${from(`'zk' || translate(lpad(n::text, 8, '0'), '0', 'z'), merchant, 'live', 'Stores', 'key_' || n, 'Lamp',
       case when n % ${RARE_EVERY} = 0 then 77777 when n % 3 > 0 then 1000000 end, at`)}`,
  ],
  webhooks: [
    `insert into events (merchant_id, mode, sequence, key, kind, reference, amount_kobo, body, delivery_number, created_at, received_at)
     ${from(`merchant, 'live', sequence, 'key_' || n, ${kindOf("n")}, 'col_' || n, 10000, convert_to(repeat('x', 300), 'UTF8'), n, at, at`)}`,
    `insert into deliveries (number, merchant_id, mode, sequence, url, status, attempts, last_status, next_attempt_at, kind, created_at)
     ${from(`n, merchant, 'live', sequence, 'https://shop.example/hook', status, 1, case status when 'delivered' then 200 else 500 end,
       case status when 'pending' then timestamptz '2036-01-01' end, ${kindOf("n")}, at`)}
     cross join lateral (select case when n % ${RARE_EVERY} = 2 then 'pending' when n % ${RARE_EVERY} = 4 then 'superseded'
       when n % 100 = 6 then 'exhausted' else 'delivered' end as status) s`,
    `insert into attempts (delivery_number, attempt, started_at, duration_ms, status) ${from("n, 1, at, 30, 200")}`,
    "insert into endpoints (merchant_id, mode, url, secret) select 'mer_' || n, 'live', 'https://shop.example/hook', 'whsec' from generate_series(0, 999) n",
  ],
  ledger: [
    `insert into settlements (reference, merchant_id, mode, cut_off, from_version, to_version, entry_version, amount, transaction_id, created_at)
     ${from(`'set_' || n, merchant, 'live', at, case n when ${WIDE} then 0 else sequence - 1 end, sequence, sequence + 1, 10000, n, at`)}`,
    `insert into transactions (id, key, kind, mode, merchant_id, amount, fee, fee_basis_points, occurred_at, posted_at, received_at)
     overriding system value ${from("n, 'int_' || n, 'collection', 'live', merchant, 10000, 100, 100, at, at, at")}`,
    `insert into entries (account_id, account_version, amount, balance_after, transaction_id, recorded_at)
     ${from("'live:collected:' || merchant, sequence, -9900, -9900 * sequence, n, at")}`,
  ],
};

function kindOf(n: string): string {
  return `case when ${n} % ${RARE_EVERY} = 0 then 'transfer.reversed' when ${n} % 20 = 8 then 'transfer.success' else 'collection.success' end`;
}

/** Fills a service's database as its owner, with its triggers disabled. */
export async function fill(ownerUrl: string, service: string): Promise<void> {
  await asOwner(ownerUrl, ["session_replication_role=replica", "synchronous_commit=off"], TABLES[service] ?? []);
}

/** Updates the statistics, as autovacuum would within a minute. */
export const count = (ownerUrl: string) => asOwner(ownerUrl, [], ["vacuum analyze", "checkpoint"]);

async function asOwner(url: string, settings: string[], statements: string[]): Promise<void> {
  const log = createLogger("bench", "silent");
  const limits = { statementMs: 600_000, lockMs: 10_000 };
  const pool = createPool({ url, service: "bench", log, max: 1, limits, settings });
  try {
    for (const statement of statements) await pool.query(statement);
  } finally {
    await pool.end();
  }
}

export const FILLED = Object.keys(TABLES);
