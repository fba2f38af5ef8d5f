import { answer, serveRequests } from "@collect/bus";
import {
  countMinutes,
  getCompletenessProof,
  instantOf,
  listAuditedReversals,
  listPostedMinutes,
  listReceived,
  type ReceivedMinute,
  type ReceivedRow,
  type Result,
} from "@collect/contracts";
import { digestOf } from "@collect/database";
import { startComponents, until } from "@collect/testing";
import { afterAll } from "vitest";
import { anIntakeRow, type GivenRow } from "./intake-rows.ts";
import { type AccountsWorld, startAccounts, useAccountsWorld } from "./world.ts";

/** Accounts with three fake services whose records each test sets. */
export async function useAuditWorld(): Promise<void> {
  const alone = await useAccountsWorld();
  afterAll(async () => {
    for (const service of SERVICES) await stops[service]?.();
  });
  world = await startAccounts(alone, { auditing: { everyMs: 20, retryMs: 20 } });
  for (const service of SERVICES) await play(service);
}

export type Service = keyof typeof countMinutes;

export const SERVICES: Service[] = ["ledger", "payments", "webhooks"];

export type HeldRow = Omit<ReceivedRow, "digests"> & { receivedAt: Date };

export let world: AccountsWorld;

/** The other services' records, the number of requests they received, and the minutes of the ledger's last postings. */
export const held: Record<Service, HeldRow[]> = { ledger: [], payments: [], webhooks: [] };

export const requestCounts: Record<Service, number> = { ledger: 0, payments: 0, webhooks: 0 };

export const posted: string[] = [];

export const stops: Partial<Record<Service, () => Promise<void>>> = {};

/** The digest that every service computes in its database. */
export async function digestsOf(rows: HeldRow[]): Promise<bigint[]> {
  const { rows: digests } = await world.owner.query<{ digest: string }>(
    `select ${digestOf("id", "merchant", "amount")}::text as digest
     from unnest($1::text[], $2::text[], $3::bigint[]) with ordinality as r (id, merchant, amount, n) order by n`,
    [rows.map((row) => row.intake_id), rows.map((row) => row.merchant_id), rows.map((row) => row.amount)],
  );
  return digests.map(({ digest }) => BigInt(digest));
}

export async function play(service: Service): Promise<void> {
  const within = ({ from, to }: { from: string; to: string }) =>
    held[service].filter(({ receivedAt: at }) => at >= new Date(from) && at < new Date(to));
  const minutes = answer(countMinutes[service], async ({ unit = "minute", except, ...span }) => {
    requestCounts[service]++;
    const unitMs = unit === "minute" ? 60_000 : 1_000;
    const rows = within(span).filter(({ kind, intake_id }) => !except?.[kind].includes(intake_id));
    const groups = Map.groupBy(rows, ({ mode, kind, receivedAt }) => {
      const minute = new Date(receivedAt.getTime() - (receivedAt.getTime() % unitMs));
      return JSON.stringify({ mode, kind, minute: instantOf(minute) });
    });
    const counted = [...groups].map(
      async ([key, group]): Promise<ReceivedMinute> => ({
        ...JSON.parse(key),
        count: group.length,
        sum: group.reduce((sum, { amount }) => sum + amount, 0n),
        digests: { intake: (await digestsOf(group)).reduce((sum, digest) => sum + digest, 0n).toString() },
      }),
    );
    return { minutes: await Promise.all(counted) };
  });
  const rows = answer(listReceived[service], async (span): Promise<Result<(typeof listReceived)[Service]>> => {
    const found = within(span);
    const digests = await digestsOf(found);
    return {
      rows: found.map(({ receivedAt: _, ...row }, n) => ({ ...row, digests: { intake: String(digests[n]) } })),
    };
  });
  const late = answer(listPostedMinutes, async () => ({ minutes: posted.splice(0), position: "1" }));
  const reversals = answer(listAuditedReversals[service], async () => ({ reversals: [] }));
  const requests = [minutes, rows, reversals, ...(service === "ledger" ? [late] : [])];
  stops[service] = await startComponents([serveRequests(world.others, { service, log: world.log, requests })]);
}

export const proof = () => world.others.request(getCompletenessProof, {});

/** Waits for a complete round that starts after this call. */
export async function nextProof() {
  const walkedAt = async () => partOf(await proof(), "history").proven_at;
  for (let round = 0; round < 2; round++) {
    const before = await walkedAt();
    await until("a round has finished", async () => (await walkedAt()) !== before, 45_000);
  }
  return proof();
}

export const partOf = ({ parts }: Awaited<ReturnType<typeof proof>>, name: string) => {
  const part = parts.find((one) => one.name === name);
  if (!part) throw new Error(`${name} is no part`);
  return part;
};

export const differencesAt = async (minute: Date) =>
  (await nextProof()).differences.filter((difference) => difference.minute === wire(minute));

/** Each test has its own minutes, counted back from the start of this file. */
export const BEGAN = Math.floor(Date.now() / 60_000) * 60_000;

export const minuteAgo = (minutes: number) => new Date(BEGAN - minutes * 60_000);

export const wire = (minute: Date) => minute.toISOString().replace("Z", "+00:00");

/** An intake row, and its record in each of these services. */
export async function received(given: GivenRow, services: Service[] = SERVICES): Promise<HeldRow> {
  const { mode = "live", amount = 100n, merchantId = "mer_1", receivedAt } = given;
  const intake_id = await anIntakeRow(world, given);
  const row: HeldRow = { mode, kind: "collection", intake_id, merchant_id: merchantId, amount, receivedAt };
  for (const service of services) held[service].push({ ...row });
  return row;
}

export function heldBy(service: Service, { intake_id }: HeldRow, kind = "collection"): HeldRow {
  const found = held[service].find((row) => row.intake_id === intake_id && row.kind === kind);
  if (!found) throw new Error(`${service} does not hold ${intake_id}`);
  return found;
}

export function lose(service: Service, { intake_id }: HeldRow): void {
  held[service] = held[service].filter((row) => row.intake_id !== intake_id);
}
