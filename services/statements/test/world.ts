import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { answer, serveRequests } from "@collect/bus";
import {
  BANK_MOVEMENTS_PAGE,
  getBankBalances,
  importStatements,
  instantOf,
  listBankMovements,
  listOutboundTransfers,
  putStatementPart,
  STATEMENT_PART_MAX,
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

type Known = Pick<Month, "incoming" | "payouts" | "ledger">;

/**
 * The service alone. What accounts, payments and the ledger know is in `known`, and can be changed by a test. Without `isRunning` a test
 * starts processes of its own.
 */
export async function useStatements({ isRunning = true } = {}) {
  const world = await useWorld({ service: "statements", directory });
  const { pool, bus, others, log } = world;
  const known: Known = { incoming: [], payouts: [], ledger: new Map() };
  await playOthers(world, known);
  const alarms: object[] = [];
  const noted = { ...log, error: (fields: object) => void alarms.push(fields) };
  // Only what a test asks for is read and matched.
  const app = createApp({ pool, bus, log: noted, everyMs: 86_400_000 });
  if (isRunning) afterAll(await startComponents(app));

  const { columns, headerRow, dateFormat, isNewestFirst } = MAPPING;
  const { valueDate, ...named } = columns;
  const mapping = {
    ...{ header_row: headerRow, date_format: dateFormat, newest_first: isNewestFirst },
    columns: { ...named, value_date: valueDate },
  };
  const account = { number: ACCOUNT, bank: BANK, pays_out: true, charge_words: CHARGE_WORDS, mapping };
  return {
    ...world,
    known,
    alarms,
    refresh: createRefresh({ pool, bus, log: noted }),
    declareAccount: (given: Partial<typeof account> = {}) => others.request(setBankAccount, { ...account, ...given }),
    async put(bytes: Uint8Array) {
      const hash = createHash("sha256").update(bytes).digest("hex");
      const parts = Math.ceil(bytes.length / STATEMENT_PART_MAX);
      for (let part = 1; part <= parts; part++) {
        const slice = bytes.subarray((part - 1) * STATEMENT_PART_MAX, part * STATEMENT_PART_MAX);
        await others.request(putStatementPart, { hash, part, data: Buffer.from(slice).toString("base64") });
      }
      return { hash, parts };
    },
    async importFile(bytes: Uint8Array, account?: string) {
      const { hash, parts } = await this.put(bytes);
      return others.request(importStatements, { hash, parts, name: "statement", ...(account && { account }) });
    },
  };
}

type World = Awaited<ReturnType<typeof useWorld>>;

/** Accounts, payments and the ledger, as far as they are asked. */
async function playOthers({ others, log }: World, known: Known): Promise<void> {
  let inOrder: { of: Known["incoming"]; rows: Known["incoming"] } = { of: [], rows: [] };
  const accounts = answer(listBankMovements, async ({ after }) => {
    const { incoming } = known;
    // A month has a hundred pages.
    if (inOrder.of !== incoming || inOrder.rows.length !== incoming.length)
      inOrder = {
        of: incoming,
        rows: incoming.toSorted((a, b) =>
          `${a.received_at} ${a.intake_id}` < `${b.received_at} ${b.intake_id}` ? -1 : 1,
        ),
      };
    const instant = instantOf(new Date(after.at));
    const isLater = ({ received_at, intake_id }: Known["incoming"][number]) =>
      received_at === instant ? intake_id > after.key : received_at > instant;
    const start = inOrder.rows.findIndex(isLater);
    const rows = start < 0 ? [] : inOrder.rows.slice(start, start + BANK_MOVEMENTS_PAGE);
    return listBankMovements.output.parse({ rows });
  });
  const payments = answer(listOutboundTransfers, async () =>
    listOutboundTransfers.output.parse({ rows: known.payouts, next: null }),
  );
  const ledger = answer(getBankBalances, async ({ before }) => {
    // What there was at the end of the last day before.
    const at = (instant: string) =>
      [...known.ledger].filter(([day]) => startOf(day) < instantOf(new Date(instant))).at(-1)?.[1] ?? 0n;
    return { balances: before.map(at) };
  });
  for (const [service, request] of Object.entries({ accounts, payments, ledger }))
    await serveRequests(others, { service: service as "accounts", log, requests: [request] }).start();
}
