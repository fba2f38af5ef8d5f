import type { MoneyService } from "@collect/contracts";
import { nameOf } from "./lists-fill.ts";

/**
 * The SQL that fills the databases of the path with settled and delivered collections, as the path leaves them: what one service
 * writes about a collection agrees with the others to the byte, and the ledger's chains and settlements are valid. One merchant
 * of a thousand has every third collection, and its customers pay in turn, ten times each.
 */

/** After so many rows the merchants come in the same order again: every third row, and 999 others by turns. */
const PERIOD = 2_997;
export const MERCHANTS = 1_000;
const DAYS_MAX = 180;
const PAYMENTS_EACH = 10;

export type Size = { collections: number; customers: number; days: number; perDay: number; firstMidnight: Date };

/** Every merchant collects on each day, so that each of its days is settled. The last day is yesterday in Lagos. */
export function sizeOf(collections: number, now: Date): Size {
  const days = Math.min(DAYS_MAX, Math.floor(collections / PERIOD));
  const perDay = days && Math.floor(collections / days);
  const midnight = Math.floor((now.getTime() + LAGOS_AHEAD_MS) / DAY_MS) * DAY_MS - LAGOS_AHEAD_MS;
  return {
    collections: days * perDay,
    customers: PERIOD * Math.max(4, Math.round(collections / PAYMENTS_EACH / PERIOD)),
    days,
    perDay,
    firstMidnight: new Date(midnight - days * DAY_MS),
  };
}
const DAY_MS = 86_400_000;
/** Lagos is UTC+1 all year. */
const LAGOS_AHEAD_MS = 3_600_000;
/** Money comes from 06:05 to 23:35, after the settlement of the day before at 06:00. */
const [SETTLED_AT_MS, OPENS_AT_MS, OPEN_MS] = [6 * 3_600_000, 6 * 3_600_000 + 300_000, 17.5 * 3_600_000];

/** Among the rows of the other 999 merchants. */
const place = (n: string) => `(${n} / 3 * 2 + ${n} % 3)`;
const merchantOf = (n: string) => `case ${n} % 3 when 0 then 'mer_0' else 'mer_' || (1 + ${place(n)} % 999) end`;
const sequenceOf = (n: string) => `case ${n} % 3 when 0 then ${n} / 3 else (${place(n)} + 998) / 999 end`;
/** A different number for every customer, and far from its neighbor's. */
export const accountNumberOf = (customer: number | bigint): string =>
  String((BigInt(customer) * SPREAD) % 10n ** 10n).padStart(10, "0");
const SPREAD = 3_141_592_653n;

const instant = (date: Date) => `timestamptz '${date.toISOString()}'`;
const after = (date: Date, ms: number) => new Date(date.getTime() + ms);
const dayOf = ({ firstMidnight }: Size, day: number) => after(firstMidnight, day * DAY_MS);

/** The collections of a day. Amounts are whole naira, so that a fee of one percent is exact. */
function rowsOf(size: Size, day: number): string {
  const [first, last] = [day * size.perDay + 1, (day + 1) * size.perDay];
  const opens = instant(after(dayOf(size, day), OPENS_AT_MS));
  const stepMs = Math.floor(OPEN_MS / size.perDay);
  return `(
    select *, amount / 100 as fee, amount - amount / 100 as net,
      'int_' || substr(md5('intake ' || n), 1, 22) as intake_id, 'col_' || substr(md5('collection ' || n), 1, 22) as reference,
      'cust_' || c as customer_reference, ${nameOf("c")} as name, lpad((c * ${SPREAD} % 10000000000)::text, 10, '0') as account_number,
      to_char(timezone('UTC', at), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as instant
    from (
      select n, 1 + (n - 1) % ${size.customers} as c, ${merchantOf("n")} as merchant, ${sequenceOf("n")} as sequence,
        (1000 + n * 7919 % 50000) * 100 as amount, ${opens} + (n - ${first}) * interval '${stepMs} milliseconds' as at
      from generate_series(${first}::bigint, ${last}) as n offset 0
    ) as numbered offset 0
  ) as collection`;
}

/** The event's body, of which accounts has the hash. */
const BODY = `convert_to('{"event":"collection.success","mode":"live","created_at":"' || instant || '","data":{"reference":"' || reference ||
  '","amount":' || amount / 100 || ',"fee":' || round(fee / 100.0, 2) || ',"net":' || round(net / 100.0, 2) ||
  ',"currency":"NGN","rail":"bank","customer_reference":"' || customer_reference || '","customer_name":"' || name ||
  '","account_number":"' || account_number || '","payer_name":"' || name || '","paid_at":"' || instant ||
  '","payment_reference":null,"merchant_reference":null,"payer":{"name":"' || name || '","account_number":"' || account_number ||
  '","bank_name":"Harbour Bank"},"metadata":{}}}', 'UTF8')`;
const URL = "https://shop.example/hook";

type Fill = {
  /** The tables that grow with the collections: their indexes are built after they are filled. */
  grown: string[];
  once(size: Size): string[];
  /** In the order of days. */
  day(size: Size, day: number): string[];
  finish(size: Size): string[];
};

const customersOf = ({ customers }: Size) => `generate_series(1::bigint, ${customers}) as c`;

export const FILLS: Record<MoneyService, Fill> = {
  accounts: {
    grown: ["customer_accounts", "inbound_transfers"],
    once: (size) => [
      `insert into customer_accounts (id, merchant_id, mode, customer_reference, customer_name, account_number, account_name, bank_name,
         issue_request_id, status, created_at, copied_at)
       select 'acc_' || md5('account ' || c), ${merchantOf("c")}, 'live', 'cust_' || c, ${nameOf("c")}, lpad((c * ${SPREAD} % 10000000000)::text, 10, '0'),
         'Stores / ' || ${nameOf("c")}, 'Harbour Bank', 'req_' || md5('request ' || c), 'active', ${instant(size.firstMidnight)}, ${instant(size.firstMidnight)}
       from ${customersOf(size)}`,
    ],
    day: (size, day) => [
      `insert into inbound_transfers (intake_id, bank, mode, bank_transfer_id, account_number, amount, currency, payer_name,
         payer_account_number, payer_bank_name, narration, paid_at, received_at, merchant_id, customer_reference, customer_name, drive_at,
         completed_at, reference, sequence, delivery_number, body_hash, recorded_at)
       select intake_id, '729', 'live', '000729' || lpad(n::text, 24, '0'), account_number, amount, 'NGN', name, account_number, 'Harbour Bank',
         'Invoice ' || n, at, at, merchant, customer_reference, name, at + interval '30 seconds', at + interval '50 milliseconds', reference,
         sequence, n, sha256(${BODY}), at + interval '30 milliseconds'
       from ${rowsOf(size, day)}`,
    ],
    finish: () => [],
  },
  payments: {
    grown: ["payers", "collections"],
    once: (size) => [
      `insert into payers (id, merchant_id, mode, bank_name, account_number, name, created_at)
       select c, ${merchantOf("c")}, 'live', 'Harbour Bank', lpad((c * ${SPREAD} % 10000000000)::text, 10, '0'), ${nameOf("c")}, ${instant(size.firstMidnight)}
       from ${customersOf(size)}`,
    ],
    day: (size, day) => [
      `insert into collections (intake_id, reference, merchant_id, mode, account_number, customer_reference, customer_name, payer_id,
         amount, fee, net, currency, paid_at, received_at, posted_at, created_at, source, metadata)
       select intake_id, reference, merchant, 'live', account_number, customer_reference, name, c, amount, fee, net, 'NGN', at, at,
         at + interval '10 milliseconds', at + interval '20 milliseconds',
         jsonb_build_object('bank', '729', 'bankTransferId', '000729' || lpad(n::text, 24, '0'), 'narration', 'Invoice ' || n, 'allocated', false),
         '{}'
       from ${rowsOf(size, day)}`,
    ],
    finish: ({ customers }) => [`select setval('payers_id_seq', ${customers})`],
  },
  ledger: {
    grown: ["transactions", "entries"],
    once: () => [],
    day: (size, day) => [settleDayBefore(size, day), postDay(size, day)],
    finish: () => ["select setval(pg_get_serial_sequence('transactions', 'id'), max(id)) from transactions"],
  },
  webhooks: {
    grown: ["events", "deliveries", "attempts"],
    once: () => [],
    day: (size, day) => [
      `insert into events (merchant_id, mode, sequence, key, kind, reference, amount_kobo, body, delivery_number, created_at, received_at)
       select merchant, 'live', sequence, 'collection.success:' || intake_id, 'collection.success', reference, amount, ${BODY}, n, at, at
       from ${rowsOf(size, day)}`,
      `insert into deliveries (number, merchant_id, mode, sequence, url, status, attempts, last_status, kind, created_at)
       select n, merchant, 'live', sequence, '${URL}', 'delivered', 1, 200, 'collection.success', at from ${rowsOf(size, day)}`,
      `insert into attempts (delivery_number, attempt, started_at, duration_ms, status) select n, 1, at, 30, 200 from ${rowsOf(size, day)}`,
    ],
    finish: (size) =>
      size.days === 0
        ? []
        : [
            `insert into counters (merchant_id, mode, sequence)
       select merchant, 'live', max(sequence) from ${rowsOf(size, size.days - 1)} group by merchant`,
            `select setval('deliveries_number_seq', ${size.collections})`,
          ],
  },
};

/** Transaction ids rise with time: each day's settlements come before its collections. */
const idsBefore = ({ perDay }: Size, day: number) => day * (perDay + MERCHANTS);

function settleDayBefore(size: Size, day: number): string {
  const [cutOff, settledAt] = [dayOf(size, day), instant(after(dayOf(size, day), SETTLED_AT_MS))];
  return `
    with due as materialized (
      select merchant_id, -balance as amount, version, ${idsBefore(size, day)} + row_number() over (order by merchant_id) as id,
        'settlement:live:' || merchant_id || ':${cutOff.toISOString().replace("Z", "000+00:00")}' as key
      from ledger_accounts where kind = 'collected' and balance < 0
    ),
    posted as (
      insert into transactions (id, key, kind, mode, merchant_id, amount, fee, fee_basis_points, occurred_at, posted_at)
      overriding system value
      select id, key, 'settlement', 'live', merchant_id, amount, 0, 0, ${instant(cutOff)}, ${settledAt} from due
    ),
    recorded as (
      insert into settlements (reference, merchant_id, mode, cut_off, from_version, to_version, entry_version, amount, transaction_id, created_at)
      select 'stl_' || md5(key), merchant_id, 'live', ${instant(cutOff)}, coalesce((
          select to_version from settlements s where s.merchant_id = due.merchant_id and mode = 'live' order by cut_off desc limit 1), 0),
        version, version + 1, amount, id, ${settledAt}
      from due
    ),
    moved as materialized (
      select 'live:collected:' || merchant_id as account_id, version + 1 as version, amount, 0 as balance, id from due
      union all
      select 'live:settled:' || due.merchant_id, coalesce(a.version, 0) + 1, -amount, coalesce(a.balance, 0) - amount, due.id
      from due left join ledger_accounts a on a.id = 'live:settled:' || due.merchant_id
    ),
    written as (
      insert into entries (account_id, account_version, amount, balance_after, transaction_id, recorded_at)
      select account_id, version, amount, balance, id, ${settledAt} from moved
    )
    ${STORE_BALANCES("moved")}`;
}

function postDay(size: Size, day: number): string {
  return `
    with day as materialized (select *, n + ${(day + 1) * MERCHANTS} as id from ${rowsOf(size, day)}),
    posted as (
      insert into transactions (id, key, kind, mode, merchant_id, amount, fee, fee_basis_points, occurred_at, posted_at, received_at)
      overriding system value
      select id, intake_id, 'collection', 'live', merchant, amount, fee, 100, at, at + interval '10 milliseconds', at from day
    ),
    legs as (
      select 'live:bank:0' as account_id, amount, id, at from day
      union all select 'live:collected:' || merchant, -net, id, at from day
      union all select 'live:fees:0', -fee, id, at from day
    ),
    moved as materialized (
      select account_id, legs.amount, legs.id, at, coalesce(a.version, 0) + row_number() over chain as version,
        coalesce(a.balance, 0) + sum(legs.amount) over chain as balance
      from legs left join ledger_accounts a on a.id = account_id
      window chain as (partition by account_id order by legs.id rows unbounded preceding)
    ),
    written as (
      insert into entries (account_id, account_version, amount, balance_after, transaction_id, recorded_at)
      select account_id, version, amount, balance, id, at + interval '10 milliseconds' from moved
    )
    ${STORE_BALANCES("moved")}`;
}

/** The last entry of each account. */
const STORE_BALANCES = (moved: string) => `
    insert into ledger_accounts (id, kind, mode, merchant_id, stripe, balance, version)
    select distinct on (account_id) account_id, split_part(account_id, ':', 2), 'live',
      case when split_part(account_id, ':', 3) <> '0' then split_part(account_id, ':', 3) end,
      case when split_part(account_id, ':', 3) = '0' then 0 end, balance, version
    from ${moved} order by account_id, version desc
    on conflict (id) do update set balance = excluded.balance, version = excluded.version`;
