import { deadLetterRequests, getRedrives, redriveTransfers } from "@collect/contracts";
import { parseNaira, shareOf } from "@collect/money";
import { until } from "@collect/testing";
import { expect } from "vitest";
import { client } from "../stack/client.ts";
import { deliverNow } from "../stack/deliveries.ts";
import type { Stack } from "../stack.ts";
import type { Traffic } from "./traffic.ts";

const FEE_BASIS_POINTS = 100;

/** An operator's redrive: does now what the sweep would do within the hour. */
export async function redrive(stack: Stack, { since }: Pick<Traffic, "since">): Promise<void> {
  const range = { from: since, to: new Date(Date.now() + 60_000).toISOString() };
  const ids = await until("the redrive has started", () =>
    stack.bus.request(redriveTransfers, range).then(
      ({ redrives }) => redrives.map(({ id }) => id),
      () => false as const,
    ),
  );
  await until("the redrive has finished", () =>
    stack.bus.request(getRedrives, { ids }).then(
      ({ redrives }) => redrives.every(({ finished_at }) => finished_at !== null),
      () => false,
    ),
  );
}

/** What `proveRecorded` proves; sequences have no gap, and each event was delivered with the same bytes and numbers every time. */
export async function proveNothingLost(stack: Stack, traffic: Traffic): Promise<void> {
  const events = await proveRecorded(stack, traffic);
  for (const [, mine] of Map.groupBy(events, ({ merchant_id }) => merchant_id))
    expect(mine.map(({ sequence }) => sequence)).toEqual(mine.map((_, index) => BigInt(index + 1)));
  await untilDelivered(stack, traffic);
  proveDeliveries(traffic, events);
}

/**
 * Every transfer that was answered with 200 is in the ledger exactly once, and nothing else is; each has one recorded event;
 * sums, chains and balances hold; every intake row is complete; there are no dead letters.
 */
export async function proveRecorded(stack: Stack, traffic: Traffic): Promise<EventRow[]> {
  const intake = await completedIntake(stack, traffic);
  await proveLedger(stack, intake);
  await provePayments(stack, intake);
  const events = await proveEvents(stack, intake);
  await proveBalances(stack, traffic, intake);
  for (const [service, { list }] of Object.entries(deadLetterRequests)) {
    // A request may still be routed to a dead connection.
    const answer = await until(`${service} answers`, () => stack.bus.request(list, {}).catch(() => undefined));
    expect([service, answer]).toEqual([service, { dead_letters: [] }]);
  }
  return events;
}

type IntakeRow = {
  bank_transfer_id: string;
  intake_id: string;
  merchant_id: string;
  amount: bigint;
  reference: string;
  sequence: bigint;
  delivery_number: bigint;
};

async function completedIntake(stack: Stack, traffic: Traffic): Promise<IntakeRow[]> {
  const mine = [...traffic.acknowledged.keys()];
  await until("every intake row is complete", async () => {
    const { rows } = await stack
      .database("accounts")
      .query(
        "select count(*) filter (where completed_at is not null) as done from inbound_transfers where bank_transfer_id = any($1)",
        [mine],
      );
    return Number(rows[0].done) === mine.length;
  });
  const { rows } = await stack.database("accounts").query<IntakeRow>(
    `select bank_transfer_id, intake_id, merchant_id, amount, reference, sequence, delivery_number
     from inbound_transfers where merchant_id = any($1)`,
    [idsOf(traffic)],
  );
  expect(rows.map(({ bank_transfer_id }) => bank_transfer_id).toSorted()).toEqual(mine.toSorted());
  for (const { bank_transfer_id, amount } of rows)
    expect(amount).toBe(parseNaira(traffic.acknowledged.get(bank_transfer_id)?.amount ?? 0));
  return rows;
}

const idsOf = ({ customers }: Traffic) => customers.map(({ merchant }) => merchant.id);
const merchantsIn = (intake: IntakeRow[]) => [...new Set(intake.map(({ merchant_id }) => merchant_id))];

async function proveLedger(stack: Stack, intake: IntakeRow[]): Promise<void> {
  const ledger = stack.database("ledger");
  const { rows: posted } = await ledger.query(
    "select key, merchant_id, amount, fee from transactions where mode = 'live' and merchant_id = any($1)",
    [merchantsIn(intake)],
  );
  const expected = intake.map(({ intake_id: key, merchant_id, amount }) => ({
    key,
    merchant_id,
    amount,
    fee: shareOf(amount, FEE_BASIS_POINTS),
  }));
  expect(posted.toSorted(by("key"))).toEqual(expected.toSorted(by("key")));

  const { rows: unbalanced } = await ledger.query(
    "select transaction_id from entries group by 1 having sum(amount) <> 0 or count(*) < 2",
  );
  const { rows: broken } = await ledger.query(`
    select account_id, account_version from (
      select *, lag(balance_after, 1, 0::bigint) over chain as before, row_number() over chain as position

      from entries window chain as (partition by account_id order by account_version)) links
    where balance_after <> before + amount or account_version <> position`);
  const { rows: wrong } = await ledger.query(`
    select coalesce(id, account_id) as account from ledger_accounts
    full join (select account_id, sum(amount) as sum, count(*) as count from entries group by 1) e on account_id = id
    where (balance, version) is distinct from (sum, count)`);
  expect({ unbalanced, broken, wrong }).toEqual({ unbalanced: [], broken: [], wrong: [] });
}

async function provePayments(stack: Stack, intake: IntakeRow[]): Promise<void> {
  const { rows } = await stack
    .database("payments")
    .query("select intake_id, reference, amount from collections where merchant_id = any($1)", [merchantsIn(intake)]);
  const expected = intake.map(({ intake_id, reference, amount }) => ({ intake_id, reference, amount }));
  expect(rows.toSorted(by("intake_id"))).toEqual(expected.toSorted(by("intake_id")));
}

type EventRow = {
  merchant_id: string;
  key: string;
  reference: string;
  amount_kobo: bigint;
  sequence: bigint;
  delivery_number: bigint;
  body: Buffer;
};

async function proveEvents(stack: Stack, intake: IntakeRow[]): Promise<EventRow[]> {
  const { rows } = await stack.database("webhooks").query<EventRow>(
    `select merchant_id, key, reference, amount_kobo, sequence, delivery_number, body from events
     where mode = 'live' and merchant_id = any($1) order by sequence`,
    [merchantsIn(intake)],
  );
  const recorded = rows.map(({ body, ...event }) => event);
  const expected = intake.map(({ intake_id, amount, bank_transfer_id, ...row }) => ({
    ...row,
    key: `collection.success:${intake_id}`,
    amount_kobo: amount,
  }));
  expect(recorded.toSorted(by("key"))).toEqual(expected.toSorted(by("key")));
  return rows;
}

/** Waits until no delivery is left. */
export async function untilDelivered(stack: Stack, { customers }: Traffic): Promise<void> {
  const isDelivered = async () => {
    const { rows } = await stack
      .database("webhooks")
      .query("select 1 from deliveries where merchant_id = any($1) and status <> 'delivered' limit 1", [
        customers.map(({ merchant }) => merchant.id),
      ]);
    return rows.length === 0;
  };
  // An attempt in progress may still fail and be rescheduled.
  await until("everything is delivered", async () => {
    await deliverNow(stack);
    return until("no more attempts are due", isDelivered, 2_000).catch(() => false);
  });
}

function proveDeliveries({ customers }: Traffic, events: EventRow[]): void {
  for (const { merchant } of customers) {
    const mine = events.filter(({ merchant_id }) => merchant_id === merchant.id);
    const bySequence = new Map(mine.map((event) => [String(event.sequence), event]));
    const received = merchant.received("live");
    for (const { headers, raw } of received) {
      const event = bySequence.get(String(headers["x-service-sequence"]));
      expect(headers["x-service-delivery"]).toBe(String(event?.delivery_number));
      expect(raw.equals(event?.body ?? Buffer.alloc(0))).toBe(true);
    }
    const reached = new Set(received.map(({ headers }) => headers["x-service-sequence"]));
    expect(reached).toEqual(new Set(bySequence.keys()));
  }
}

async function proveBalances(stack: Stack, { customers }: Traffic, intake: IntakeRow[]): Promise<void> {
  for (const { merchant } of customers) {
    const { body } = await client(stack.baseUrl, merchant.keys.sk_live).get("/balance");
    const nets = intake
      .filter(({ merchant_id }) => merchant_id === merchant.id)
      .map(({ amount }) => amount - shareOf(amount, FEE_BASIS_POINTS));
    expect(parseNaira(Number(body.collected))).toBe(nets.reduce((sum, net) => sum + net, 0n));
    expect(body.ledger_sequence).toBe(nets.length);
  }
}

function by<Field extends string>(field: Field) {
  return (a: { [Name in Field]: string }, b: { [Name in Field]: string }) => (a[field] < b[field] ? -1 : 1);
}
