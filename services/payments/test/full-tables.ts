import type { Pool } from "@collect/database";

/** Fills every table that lists and lookups read, for the test of their plans. */
export async function fillTables(owner: Pool): Promise<void> {
  // 30,000 sessions of one mode and merchant on 300 accounts, each with a different amount on its account.
  await owner.query(`
    insert into sessions (reference, merchant_id, mode, merchant_name, merchant_reference, opened_by, amount, amount_requested,
      account_number, account_name, bank_name, is_customer_account, customer_reference, details_required, created_at, expires_at,
      watch_until)
    select 'pay_' || n, 'mer_1', 'test', 'Ada Stores', 'known-' || n, 'secret_key', 100000 + n / 300 % 99 + 1, 100000,
      (9000000000 + n % 300)::text, 'Ada Stores', 'Test Bank', true, 'cust_' || n % 300, false, now() - n * interval '1 second',
      now() + interval '1 hour', now() + interval '2 hours'
    from generate_series(1, 29700) n`);
  await owner.query(
    "insert into collection_accounts values ('mer_1', 'test', 1, '9000000002', 'Ada Stores', 'Test Bank')",
  );
  await fillOthers(owner);
}

/**
 * 20,000 business profiles, payers, collections, transfers, sessions of one link, and links of one merchant and mode. The link is
 * inserted after its sessions, because each of them would update it.
 */
async function fillOthers(owner: Pool): Promise<void> {
  for (const insert of [
    `insert into payers (merchant_id, mode, bank_name, account_number, name)
     select 'mer_1', 'test', '', n::text, case when n % 2 = 0 then 'Payer ' || n else n || ' Obi' end from generate_series(1, 20000) n`,
    `insert into collections (intake_id, reference, merchant_id, mode, account_number, customer_reference, payer_id, amount, fee,
       net, currency, paid_at, received_at, posted_at)
     select 'int_' || n, 'col_' || n, 'mer_1', 'test', 9000000000 + n % 300, 'cust_' || n % 300, n, 100, 1, 99, 'NGN', at, at, at
     from generate_series(1, 20000) n, lateral (select timestamptz '2026-11-21' - n * interval '1 hour' as at)`,
    `insert into transfers (reference, merchant_id, mode, merchant_reference, amount, bank_code, bank_name, account_number,
       account_name, step, status, verdict, sent_at, completed_at)
     select 'trf_' || n, 'mer_1', 'test', 'order-' || n, 100, '058', 'GTB', lpad((n % 300)::text, 10, '0'), 'Ada', 'told',
       'success', 'success', now(), now() from generate_series(1, 20000) n`,
    // 200 files of 100 lines; three lines of one of them are of an order, an account that was paid, and one that was not.
    `insert into transfer_batches (reference, merchant_id, mode, name, lines, total)
     select 'bat_' || n, 'mer_1', 'test', 'salaries.csv', 100, 10000 from generate_series(1, 200) n`,
    `insert into transfer_batch_lines (batch, line, merchant_id, mode, amount, bank_code, account_number, reference, has_own_reference, faults)
     select 'bat_' || f, n, 'mer_1', 'test', 101, '058', lpad((f * 100 + n)::text, 10, '0'), 'order-' || n, true,
       case when f = 7 and n > 3 then '[{}]' else '[]' end::jsonb
     from generate_series(1, 200) f, generate_series(1, 100) n where f <> 7 or n > 3`,
    `insert into transfer_batch_lines (batch, line, merchant_id, mode, amount, bank_code, account_number, reference, has_own_reference)
     values ('bat_7', 1, 'mer_1', 'test', 100, '058', '0000000017', 'order-7', true),
       ('bat_7', 2, 'mer_1', 'test', 100, '058', '0000000017', 'bat_7-2', false),
       ('bat_7', 3, 'mer_1', 'test', 101, '058', '0000000018', 'bat_7-3', false)`,
    `insert into sessions (reference, merchant_id, mode, merchant_name, opened_by, payment_link, link_key, amount,
       amount_requested, account_number, account_name, bank_name, is_customer_account, details_required, created_at, expires_at,
       watch_until, status, slot_held)
     select 'pay_of_link_' || n, 'mer_1', 'test', 'Ada Stores', 'payment_link', 'link000007', n, 100001, 100000, '9000000002',
       'Ada Stores', 'Test Bank', false, false, at, at, at, 'expired', false
     from generate_series(1, 20000) n, lateral (select now() - n * interval '1 second' as at)`,
    `insert into business_profiles (merchant_id, logo, logo_type)
     select 'mer_' || n, int4send(n), 'image/png' from generate_series(1, 20000) n`,
    `insert into payment_links (slug, merchant_id, mode, merchant_name, key, title, amount)
     select 'link' || lpad(n::text, 6, '0'), 'mer_1', 'test', 'Ada Stores', n, 'Lamp', case when n % 3 > 0 then 100000 + n % 300 end
     from generate_series(1, 20000) n`,
  ])
    await owner.query(insert);
}
