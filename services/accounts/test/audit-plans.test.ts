import { countRowsRead, usePlans } from "@collect/testing";
import { expect, test } from "vitest";
import { minutesToRecheck, readDifferences } from "../src/store/audit.ts";
import { readBankMovements } from "../src/store/bank-movements.ts";
import { readLastTransfers, readOrderedAccounts, readUnfinishedOfBanks } from "../src/store/partner-health.ts";
import {
  knownTransfers,
  minutesReceived,
  oldestReceived,
  readInFlight,
  received,
  receivedAfter,
  receivedBefore,
} from "../src/store/received-minutes.ts";
import { readReceivedTransfers } from "../src/store/received-transfers.ts";
import { measureUnfinished, readUnfinished } from "../src/store/unfinished.ts";
import { useAccountsWorld } from "./world.ts";

/** Transfers, one per millisecond: enough to distinguish a range scan from a full walk. */
const ROWS = 60_000;
const WINDOW = 500;
const READ_MAX = 3_000;

const world = await useAccountsWorld();
const pool = usePlans(world, { service: "accounts" });

const at = (ms: number) => new Date(Date.UTC(2026, 10, 20) + ms).toISOString().replace("Z", "+00:00");
const span = { from: at(ROWS / 2), to: at(ROWS / 2 + WINDOW) };

/** All reads of an audit round, and what operators ask about the partner bank, by name. */
const READS: Record<string, () => Promise<unknown>> = {
  "the minutes of a window": () => received.minutes(pool, { ...span, unit: "second" }),
  "the rows of a window": () => received.rows(pool, { ...span, limit: 2_000 }),
  "the transfers in flight in a window": () => readInFlight(pool, span, 5_000),
  "the minutes in which something came": () => minutesReceived(pool, span),
  "where a window ends": () => receivedAfter(pool, span.from, WINDOW),
  "where a window begins": () => receivedBefore(pool, span.to, WINDOW),
  "the oldest": () => oldestReceived(pool),
  "transfers by their ids": () => knownTransfers(pool, ["int_1", "int_2"]),
  "what is unfinished": () => readUnfinished(pool, 120),
  "how much is unfinished, for a metric": () => measureUnfinished(pool),
  "minutes to compare again": () => minutesToRecheck(pool, 12),
  "what differs": () => readDifferences(pool),
  "the last transfer of each bank": () => readLastTransfers(pool, ["729"]),
  "unfinished transfers of each bank": () => readUnfinishedOfBanks(pool),
  "a transfer by our id": () => readReceivedTransfers(pool, { by: { intake_id: "int_1" } }),
  "a transfer by its bank's id": () => readReceivedTransfers(pool, { by: { bank: "729", bank_transfer_id: "bank-1" } }),
  "a transfer by its session": () => readReceivedTransfers(pool, { by: { bank: "729", session_id: "1" } }),
  "accounts of the last day": () => readOrderedAccounts(pool, { partners: ["729"], standard: "729", own: "729" }),
};

async function fill(): Promise<void> {
  await insert("live", 1, ROWS);
  await world.owner.query(`
    insert into audit_minutes (minute, reason)
    select now() - n * interval '1 minute', 'under_way' from generate_series(1, 20000) as n`);
}

async function insert(mode: string, from: number, to: number): Promise<void> {
  await world.owner.query(`
    insert into inbound_transfers (intake_id, bank, mode, bank_transfer_id, account_number, amount, currency, payer_name, paid_at,
      received_at, drive_at, merchant_id, completed_at)
    select 'int_' || n, '729', '${mode}', 'bank-' || n, '0000000017', 100, 'NGN', 'Chidi Eze', at, at, at, 'mer_1',
      case when n % 1000 <> 0 then at end
    from generate_series(${from}, ${to}) as n, lateral (select timestamptz '${at(0)}' + n * interval '1 millisecond' as at)`);
}

test("plans made while the tables were empty read only the rows of their window when they are full", async () => {
  for (const read of Object.values(READS)) await read();
  await fill();
  for (const [name, rows] of await countRowsRead({ pool, owner: world.owner }, READS))
    expect(rows, name).toBeLessThan(READ_MAX);
});

test("what statements reads is found past any amount of test money", async () => {
  const read = () => readBankMovements(pool, { mode: "live", after: { at: at(ROWS), key: "int_z" } });
  await insert("test", ROWS + 1, ROWS + 5_000);
  expect(await read()).toEqual([]);
  for (const [name, rows] of await countRowsRead({ pool, owner: world.owner }, { read }))
    expect(rows, name).toBeLessThan(100);
});
