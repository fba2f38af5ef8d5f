import {
  auditFault,
  getCompletenessProof,
  getLedgerProof,
  listUnfinished,
  MONEY_SERVICES,
  setWebhookEndpoint,
} from "@collect/contracts";
import { until } from "@collect/testing";
import type { Stack } from "../stack.ts";
import { measurePath, type PathFigures } from "./end-to-end.ts";
import { ALL, type ListFigures, measureCases } from "./lists.ts";
import { startProduct } from "./product.ts";
import { openFilledPostgres } from "./size-fill.ts";
import { accountNumberOf, MERCHANTS, type Size, sizeOf } from "./size-rows.ts";
import {
  type BackupFigures,
  type ComparedFigures,
  compareHistory,
  copyServer,
  proveLedger,
  type Vacuumed,
  vacuum,
} from "./size-work.ts";
import { openReceiver } from "./transfer-tracker.ts";

/** A run of the path, and what it cost the server per collection. */
export type SizedPath = PathFigures & Record<"hit" | "read" | "walBytes" | "fullPageImages", number>;
/** A table, and its indexes with their bytes by name. */
type Stored = { service: string; table: string; rows: number; bytes: number; indexes: Record<string, number> };
export type SizeFigures = {
  size: Size;
  empty: SizedPath[];
  full: SizedPath[];
  stored: Stored[];
  lists: ListFigures[];
  settlement: { merchants: number; seconds: number };
  ledgerRound: ComparedFigures;
  history: ComparedFigures;
  vacuumed: Vacuumed[];
  backup: BackupFigures;
};

/** The path on empty databases and on full ones, alternately, and what grows with them. */
export function measureSize({ collections, seconds }: { collections: number; seconds: number }): Promise<SizeFigures> {
  const now = new Date();
  const [none, size] = [sizeOf(0, now), sizeOf(collections, now)];
  return withSized(size, (full) =>
    withSized(none, async (empty) => {
      const stored = await readStored(full.stack);
      const paths: Paths = { empty: [], full: [] };
      for (const one of [empty, full]) await measureSized(one, WARM_UP_SECONDS);
      for (const name of ORDER) {
        const path = await measureSized({ empty, full }[name], seconds);
        paths[name].push(path);
        console.log(`  the path: ${name}, ${JSON.stringify(path)}`);
      }
      return { size, stored, ...paths, ...(await measureWork(full)) };
    }),
  );
}

type Paths = Record<"empty" | "full", SizedPath[]>;
/** A first run of each that does not count: plans, caches and first payers. */
const WARM_UP_SECONDS = 10;
/** What other work does to the machine meets both alike. */
const ORDER = ["empty", "full", "full", "empty", "empty", "full"] as const;

async function measureWork({
  size,
  stack,
  directory,
}: Sized): Promise<Omit<SizeFigures, keyof Paths | "size" | "stored">> {
  const lists = await measureCases(stack.bus, { cases: LISTS, sizes: ["big"] });
  console.log("  lists");
  const vacuumed = await vacuum(stack);
  console.log("  vacuum");
  const backup = await copyServer(stack, directory);
  console.log("  base backup");
  await untilAudited(stack);
  const [settlement, ledgerRound] = [await readSettlement(stack), await proveLedger(stack)];
  console.log("  the ledger's proof");
  return { vacuumed, backup, lists, settlement, ledgerRound, history: await compareHistory(stack, size) };
}

/** Without those whose tables the fill leaves empty. */
const LISTS = ALL.filter(({ name }) => !/session|transfers|payment|link|order|metadata/.test(name));

/** A stack whose merchants all have the receiver as their webhook, and the directory of its servers. */
type Sized = { size: Size; stack: Stack; hook: Awaited<ReturnType<typeof openReceiver>>; directory: string };

async function withSized<Result>(size: Size, work: (sized: Sized) => Promise<Result>): Promise<Result> {
  const hook = await openReceiver();
  let directory = "";
  try {
    const stack = await startProduct({
      openPostgres: (given, options) => {
        directory = given;
        return openFilledPostgres(given, { ...options, size });
      },
    });
    try {
      for (let n = 0; n < MERCHANTS; n++)
        await stack.bus.request(setWebhookEndpoint, { merchant: { id: `mer_${n}`, mode: "live" }, url: hook.url });
      return await work({ size, stack, hook, directory });
    } catch (error) {
      // The logs are deleted with the stack, and a caller is not told why a request failed.
      for (const failure of failuresOf(stack)) console.error(failure);
      throw error;
    } finally {
      await stack.stop();
    }
  } finally {
    await hook.close();
  }
}

/** The last requests that each service could not answer, as it logged them. */
const failuresOf = ({ logs }: Stack): string[] =>
  MONEY_SERVICES.flatMap((service) =>
    logs(service)
      .split("\n")
      .filter((line) => line.includes('"msg":"request failed"'))
      .slice(-2),
  );

/** So many customers pay during a run, spread over all. */
const PAYING = 10_000;

async function measureSized({ size, stack, hook }: Sized, seconds: number): Promise<SizedPath> {
  const step = Math.floor(size.customers / PAYING);
  const accounts = Array.from({ length: PAYING }, (_, n) => accountNumberOf(1 + n * step));
  const [before, arrivedBefore] = [await readCounters(stack), hook.tracker.arrived()];
  const figures = await measurePath({ door: stack.bankDoor, accounts, tracker: hook.tracker }, seconds);
  const [after, many] = [await readCounters(stack), hook.tracker.arrived() - arrivedBefore];
  const per = (name: keyof Counters) => (after[name] - before[name]) / many;
  return {
    ...figures,
    hit: per("hit"),
    read: per("read"),
    walBytes: per("walBytes"),
    fullPageImages: per("fullPageImages"),
  };
}

type Counters = Record<"hit" | "read" | "walBytes" | "fullPageImages", number>;

/** Of the whole server: pages found in its buffers, pages asked of the operating system, and its WAL. */
async function readCounters(stack: Stack): Promise<Counters> {
  const { rows } = await stack.database("accounts").query<Counters>(
    `select sum(blks_hit)::float8 as hit, sum(blks_read)::float8 as read,
       (select wal_bytes::float8 from pg_stat_wal) as "walBytes", (select wal_fpi::float8 from pg_stat_wal) as "fullPageImages"
     from pg_stat_database`,
  );
  const [counters] = rows;
  if (!counters) throw new Error("an aggregate returned no row");
  return counters;
}

/** The tables of the path that have a megabyte or more. */
async function readStored(stack: Stack): Promise<Stored[]> {
  const stored: Stored[] = [];
  for (const service of MONEY_SERVICES) {
    const { rows } = await stack.database(service).query<Stored>(
      `select $1 as service, relname as table, reltuples::float8 as rows, pg_table_size(t.oid)::float8 as bytes,
         (select jsonb_object_agg(indexrelid::regclass::text, pg_relation_size(indexrelid)) from pg_index where indrelid = t.oid) as indexes
       from pg_class t where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_total_relation_size(t.oid) > 1e6
       order by pg_total_relation_size(t.oid) desc`,
      [service],
    );
    stored.push(...rows);
  }
  return stored;
}

/** The ledger settles yesterday for every merchant as soon as it has started. */
async function readSettlement(stack: Stack): Promise<SizeFigures["settlement"]> {
  const { rows } = await stack.database("ledger").query<SizeFigures["settlement"]>(
    `select count(*)::integer as merchants, coalesce(extract(epoch from max(created_at) - min(created_at)), 0)::float8 as seconds
     from settlements where created_at > now() - interval '3 hours'`,
  );
  return rows[0] ?? { merchants: 0, seconds: 0 };
}

const AUDITED_WITHIN_MS = 300_000;

/** What `ops -- audit` shows: throws if a part finds a difference, and waits until the load has been compared. */
async function untilAudited({ bus }: Stack): Promise<void> {
  await until(
    "every part of the self-audit holds",
    async () => {
      const reports = await Promise.all([
        bus.request(getCompletenessProof, {}),
        bus.request(getLedgerProof, {}),
        bus.request(listUnfinished, {}),
      ]);
      const parts = reports.flatMap((report) => report.parts);
      const differing = parts.find(({ differences }) => differences.length > 0);
      if (differing) throw new Error(`${differing.name}: ${JSON.stringify(differing.differences.slice(0, 3))}`);
      return parts.every((part) => auditFault(part) === undefined);
    },
    AUDITED_WITHIN_MS,
  );
}
