import { countRowsRead, usePlans, useWorld } from "@collect/testing";
import { expect, test } from "vitest";
import { received } from "../src/inbound/store/received-minutes.ts";
import { proveRecentlyPaid, proveSessions } from "../src/inbound/store/session-proof.ts";
import { readAnswered, readEnquiries, readUnanswered, readUnansweredOf } from "../src/outbound/store/partner-health.ts";
import { countOverdueTransfers, pageOfTransfers, readTransfers } from "../src/outbound/store/transfer-proof.ts";
import { directory } from "./inbound/sessions-world.ts";

/** Collections, one per millisecond: enough to distinguish reading a window from scanning the table. */
const ROWS = 60_000;
const WINDOW = 500;
/** Allows for a window with its lookups, and the rest of the range of the index by time. */
const READ_MAX = 10_000;

const world = await useWorld({ service: "payments", directory });
const pool = usePlans(world, { service: "payments" });

const at = (ms: number) => new Date(Date.UTC(2026, 10, 20) + ms).toISOString().replace("Z", "+00:00");
const span = { from: at(ROWS / 2), to: at(ROWS / 2 + WINDOW) };

/** Everything that the audit reads in a round, by name. */
const READS: Record<string, () => Promise<unknown>> = {
  "the minutes of a window": () => received.minutes(pool, { ...span, unit: "second" }),
  "the rows of a window": () => received.rows(pool, { ...span, limit: 2_000 }),
  "a page of sessions": () => proveSessions(pool, "pay_5", WINDOW),
  "recently paid sessions": () => proveRecentlyPaid(pool, WINDOW),
  "a page of transfers": () => pageOfTransfers(pool, "trf_5", WINDOW),
  "transfers by their references": () => readTransfers(pool, ["trf_1", "trf_2"]),
  "stuck transfers": () => countOverdueTransfers(pool),
};

async function fill(): Promise<void> {
  for (const statement of [
    `insert into payers (merchant_id, mode, bank_name, account_number, name) values ('mer_1', 'live', '', '1', 'Ada')`,
    `insert into collections (intake_id, reference, merchant_id, mode, account_number, payer_id, amount, fee, net, currency,
       payment_reference, paid_at, received_at, posted_at)
     select 'int_' || n, 'col_' || n, 'mer_1', 'live', '9000000001', 1, 100001, 1, 100000, 'NGN', 'pay_' || n, at, at, at
     from generate_series(1, ${ROWS}) as n, lateral (select timestamptz '${at(0)}' + n * interval '1 millisecond' as at)`,
    `insert into sessions (reference, merchant_id, mode, merchant_name, opened_by, amount, amount_requested, amount_received,
       account_number, account_name, bank_name, is_customer_account, details_required, created_at, expires_at, watch_until,
       status, paid_at, slot_held)
     select 'pay_' || n, 'mer_1', 'live', 'Ada Stores', 'secret_key', 100001, 100000, 100001, '9000000001', 'Ada Stores',
       'Test Bank', false, false, at, at, at, 'paid', now() - n * interval '1 second', false
     from generate_series(1, 20000) as n, lateral (select timestamptz '${at(0)}' as at)`,
    `insert into transfers (reference, merchant_id, mode, merchant_reference, amount, bank_code, bank_name, account_number,
       account_name, step, status, verdict, sent_at, completed_at)
     select 'trf_' || n, 'mer_1', 'live', 'order-' || n, 100, '058', 'GTB', '0000000017', 'Ada', 'told', 'success', 'success',
       now(), now() from generate_series(1, 20000) as n`,
    "vacuum analyze collections",
  ])
    await world.owner.query(statement);
}

test("plans made on empty tables read only the rows of their window when the tables are full", async () => {
  for (const read of Object.values(READS)) await read();
  await fill();
  for (const [name, rows] of await countRowsRead({ pool, owner: world.owner }, READS))
    expect(rows, name).toBeLessThan(READ_MAX);
  // The result is correct: each of these sessions has its collection.
  expect(await proveSessions(pool, "pay_5", WINDOW)).toMatchObject({ proven: WINDOW, differences: [] });
});

test("what operators ask about the partner bank stops after a fixed number of rows, however many payouts a day has", async () => {
  const reads = {
    "payouts without an answer": () => readUnanswered(pool),
    "payouts without an answer of each partner": () => readUnansweredOf(pool, ["729"], "729"),
    "what the bank answered": () => readAnswered(pool, "729"),
    "name enquiries": () => readEnquiries(pool),
  };
  await world.owner.query(`
    insert into account_enquiries (merchant_id, mode, purpose, bank_code, last_four, actor, request_id, answer)
    select 'mer_1', 'live', 'enquiry', '058', '0017', '{}', 'req', 'named' from generate_series(1, 20000)`);
  await world.owner.query("vacuum analyze transfers, account_enquiries");
  for (const [name, rows] of await countRowsRead({ pool, owner: world.owner }, reads))
    expect(rows, name).toBeLessThanOrEqual(5_000);
  const [answered] = await readAnswered(pool, "729");
  expect(answered).toMatchObject({ end: "success", hour: 5_000, day: 5_000 });
  // Since then only: older answers of the day are not among them.
  expect(Date.now() - Date.parse(answered?.since ?? "")).toBeLessThan(3_600_000);
});
