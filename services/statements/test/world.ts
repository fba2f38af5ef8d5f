import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { answer, serveRequests } from "@collect/bus";
import {
  BANK_MOVEMENTS_PAGE,
  bookBankCharges,
  bookOwnFunds,
  getBankBalances,
  importStatements,
  instantOf,
  listBankCharges,
  listBankMovements,
  listOutboundTransfers,
  listOwnFunds,
  putStatementPart,
  STATEMENT_PART_MAX,
  type StatementMapping,
  setBankAccount,
} from "@collect/contracts";
import { startComponents, useWorld } from "@collect/testing";
import { afterAll } from "vitest";
import { createApp } from "../src/app.ts";
import { startOf } from "../src/domain/calendar.ts";
import { createRefresh } from "../src/use-cases/refresh.ts";
import { ACCOUNT, MAPPING } from "./files.ts";
import { BANK, CHARGE_WORDS, type Month } from "./month.ts";

export const directory = fileURLToPath(new URL("../prisma", import.meta.url));

/**
 * `charges` and `ownFunds` are those that the ledger has booked, by day and account. `ledger` are its balances at the ends of days, by the time of posting, and
 * `counted` by that of receipt: a ledger of the release before does not know them.
 */
type Known = Pick<Month, "incoming" | "payouts" | "ledger"> & {
  counted?: Month["ledger"];
  charges: Map<string, Booked>;
  ownFunds: Map<string, Booked>;
  /** What it had booked of own funds by any instant, of days that this database has never closed. */
  ownBefore?: bigint;
  /** What the ledger says of itself; one of the release before says nothing. */
  audit?: { proven_at: string | null; differences: { what: string; where: string }[] };
  /** Before payments answers. */
  onPayouts?: () => Promise<void>;
};
type Booked = { day: string; account: string; total: bigint; version: number };

/** What an earlier release leaves out. */
type Settings = { payouts_of?: string | null; own_references?: boolean; settles_within?: number };

/**
 * The service alone. What accounts, payments and the ledger know is in `known`, and can be changed by a test. Without `isRunning` a test
 * starts processes of its own.
 */
export async function useStatements({ isRunning = true } = {}) {
  const world = await useWorld({ service: "statements", directory });
  const { pool, bus, others, log } = world;
  const known: Known = { incoming: [], payouts: [], ledger: new Map(), charges: new Map(), ownFunds: new Map() };
  await playOthers(world, known);
  const alarms: object[] = [];
  const noted = { ...log, error: (fields: object) => void alarms.push(fields) };
  // Only what a test asks for is read and matched.
  const app = createApp({ pool, bus, log: noted, everyMs: 86_400_000 });
  if (isRunning) afterAll(await startComponents(app));

  const { columns, headerRow, dateFormat, isNewestFirst } = MAPPING;
  const { valueDate, ...named } = columns;
  const mapping: StatementMapping = {
    ...{ header_row: headerRow, date_format: dateFormat, newest_first: isNewestFirst },
    columns: { ...named, value_date: valueDate },
  };
  const account = { number: ACCOUNT, bank: BANK, pays_out: true, charge_words: CHARGE_WORDS, mapping };
  return {
    ...world,
    known,
    alarms,
    refresh: createRefresh({ pool, bus, log: noted }),
    declareAccount: (given: Partial<typeof account> & Settings = {}) =>
      others.request(setBankAccount, { ...account, ...given }),
    async put(bytes: Uint8Array) {
      const hash = createHash("sha256").update(bytes).digest("hex");
      const parts = Math.ceil(bytes.length / STATEMENT_PART_MAX);
      for (let part = 1; part <= parts; part++) {
        const slice = bytes.subarray((part - 1) * STATEMENT_PART_MAX, part * STATEMENT_PART_MAX);
        await others.request(putStatementPart, { hash, part, data: Buffer.from(slice).toString("base64") });
      }
      return { hash, parts };
    },
    async importFile(bytes: Uint8Array, account?: string, said: { despite_number?: boolean } = {}) {
      const { hash, parts } = await this.put(bytes);
      return others.request(importStatements, { hash, parts, name: "statement", ...(account && { account }), ...said });
    },
  };
}

type World = Awaited<ReturnType<typeof useWorld>>;
const listedAt = ({ listed_at, received_at }: Known["incoming"][number]) => listed_at ?? received_at;

/** Accounts, payments and the ledger, as far as they are asked. */
async function playOthers({ others, log }: World, known: Known): Promise<void> {
  let inOrder: { of: Known["incoming"]; rows: Known["incoming"] } = { of: [], rows: [] };
  const accounts = answer(listBankMovements, async ({ after }) => {
    const { incoming } = known;
    // A month has a hundred pages.
    if (inOrder.of !== incoming || inOrder.rows.length !== incoming.length)
      inOrder = {
        of: incoming,
        rows: incoming.toSorted((a, b) => (`${listedAt(a)} ${a.intake_id}` < `${listedAt(b)} ${b.intake_id}` ? -1 : 1)),
      };
    const instant = instantOf(new Date(after.at));
    const isLater = (row: Known["incoming"][number]) =>
      listedAt(row) === instant ? row.intake_id > after.key : listedAt(row) > instant;
    const start = inOrder.rows.findIndex(isLater);
    const rows = start < 0 ? [] : inOrder.rows.slice(start, start + BANK_MOVEMENTS_PAGE);
    return listBankMovements.output.parse({ rows });
  });
  const payments = answer(listOutboundTransfers, async () => {
    await known.onPayouts?.();
    return listOutboundTransfers.output.parse({ rows: known.payouts, next: null });
  });
  const ledger = answer(getBankBalances, async ({ before }) => {
    // What there was at the end of the last day before.
    const atEach = (balances: Month["ledger"]) =>
      before.map(
        (instant) => [...balances].filter(([day]) => startOf(day) < instantOf(new Date(instant))).at(-1)?.[1] ?? 0n,
      );
    const counted = known.counted && { counted: atEach(known.counted) };
    const booked = { charges: before.map(() => 0n), own_funds: before.map(() => known.ownBefore ?? 0n) };
    return { balances: atEach(known.ledger), ...counted, ...booked, ...(known.audit && { audit: known.audit }) };
  });
  const list = (of: Map<string, Booked>, { from, to }: { from: string; to: string }) => ({
    rows: [...of.values()].filter(({ day }) => day >= from && day <= to),
  });
  const book = (of: Map<string, Booked>, { replaces, ...given }: Omit<Booked, "version"> & { replaces: number }) => {
    const key = `${given.day} ${given.account}`;
    const before = of.get(key) ?? { ...given, total: 0n, version: 0 };
    if (before.version === replaces && before.total !== given.total) of.set(key, { ...given, version: replaces + 1 });
    const { total, version } = of.get(key) ?? before;
    return { total, version };
  };
  const totals = [
    answer(listBankCharges, async (span) => list(known.charges, span)),
    answer(bookBankCharges, async (given) => book(known.charges, given)),
    answer(listOwnFunds, async (span) => list(known.ownFunds, span)),
    answer(bookOwnFunds, async (given) => book(known.ownFunds, given)),
  ];
  const played = { accounts: [accounts], payments: [payments], ledger: [ledger, ...totals] };
  for (const [service, requests] of Object.entries(played))
    await serveRequests(others, { service: service as "accounts", log, requests }).start();
}
