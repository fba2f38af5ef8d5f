import { answer, serveRequests } from "@collect/bus";
import {
  countMinutes,
  getCompletenessProof,
  instantOf,
  listPostedMinutes,
  listReceived,
  type ReceivedMinute,
  type ReceivedRow,
  type Result,
  UNDER_WAY_MAX,
} from "@collect/contracts";
import { digestOf } from "@collect/database";
import { startParts, until } from "@collect/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { claimRound } from "../src/store/audit.ts";
import { anIntakeRow, type GivenRow } from "./intake-rows.ts";
import { type AccountsWorld, openAccounts } from "./world.ts";

type Service = keyof typeof countMinutes;
const SERVICES: Service[] = ["ledger", "payments", "webhooks"];
type HeldRow = Omit<ReceivedRow, "digests"> & { receivedAt: Date };

let world: AccountsWorld;
/** What the others hold, how often they were asked, and to which minutes the ledger posted last. */
const held: Record<Service, HeldRow[]> = { ledger: [], payments: [], webhooks: [] };
const asked: Record<Service, number> = { ledger: 0, payments: 0, webhooks: 0 };
const posted: string[] = [];
const stops: Partial<Record<Service, () => Promise<void>>> = {};

/** As every service computes it in its database. */
async function digestsOf(rows: HeldRow[]): Promise<bigint[]> {
  const { rows: digests } = await world.owner.query<{ digest: string }>(
    `select ${digestOf("id", "merchant", "amount")}::text as digest
     from unnest($1::text[], $2::text[], $3::bigint[]) with ordinality as r (id, merchant, amount, n) order by n`,
    [rows.map((row) => row.intake_id), rows.map((row) => row.merchant_id), rows.map((row) => row.amount)],
  );
  return digests.map(({ digest }) => BigInt(digest));
}

async function play(service: Service): Promise<void> {
  const within = ({ from, to }: { from: string; to: string }) =>
    held[service].filter(({ receivedAt: at }) => at >= new Date(from) && at < new Date(to));
  const minutes = answer(countMinutes[service], async ({ unit = "minute", except, ...span }) => {
    asked[service]++;
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
  const requests = [minutes, rows, ...(service === "ledger" ? [late] : [])];
  stops[service] = await startParts([serveRequests(world.others, { service, log: world.log, requests })]);
}

beforeAll(async () => {
  world = await openAccounts({ auditing: { everyMs: 20, againMs: 20 } });
  for (const service of SERVICES) await play(service);
});
afterAll(async () => {
  await world.stop();
  for (const service of SERVICES) await stops[service]?.();
  await world.close();
});

const proof = () => world.others.request(getCompletenessProof, {});
/** Waits for a whole round that began after this. */
async function nextProof() {
  const walkedAt = async () => partOf(await proof(), "history").proven_at;
  for (let round = 0; round < 2; round++) {
    const before = await walkedAt();
    await until("a round is over", async () => (await walkedAt()) !== before, 45_000);
  }
  return proof();
}
const partOf = ({ parts }: Awaited<ReturnType<typeof proof>>, name: string) => {
  const part = parts.find((one) => one.name === name);
  if (!part) throw new Error(`${name} is no part`);
  return part;
};
const differencesAt = async (minute: Date) =>
  (await nextProof()).differences.filter((difference) => difference.minute === wire(minute));

/** Each test has minutes of its own, counted back from when this file began. */
const BEGAN = Math.floor(Date.now() / 60_000) * 60_000;
const minuteAgo = (minutes: number) => new Date(BEGAN - minutes * 60_000);
const wire = (minute: Date) => minute.toISOString().replace("Z", "+00:00");

/** An intake row, and what each of these services holds of it. */
async function received(given: GivenRow, services: Service[] = SERVICES): Promise<HeldRow> {
  const { mode = "live", amount = 100n, merchantId = "mer_1", receivedAt } = given;
  const intake_id = await anIntakeRow(world, given);
  const row: HeldRow = { mode, kind: "collection", intake_id, merchant_id: merchantId, amount, receivedAt };
  for (const service of services) held[service].push({ ...row });
  return row;
}
function heldBy(service: Service, { intake_id }: HeldRow, kind = "collection"): HeldRow {
  const found = held[service].find((row) => row.intake_id === intake_id && row.kind === kind);
  if (!found) throw new Error(`${service} does not hold ${intake_id}`);
  return found;
}
function lose(service: Service, { intake_id }: HeldRow): void {
  held[service] = held[service].filter((row) => row.intake_id !== intake_id);
}

describe("what every service holds", () => {
  test("is proven where all hold what came in, and each part says what it covers and how old it is", async () => {
    await received({ receivedAt: minuteAgo(20) });
    const proven = await nextProof();
    expect(proven.differences.filter(({ minute }) => minute === wire(minuteAgo(20)))).toEqual([]);
    for (const name of ["recent money in", "history"]) {
      const { age_s, max_age_s, to } = partOf(proven, name);
      expect([name, (age_s ?? 1_000) <= max_age_s, to]).toEqual([name, true, expect.stringMatching(/^\d{4}-/)]);
    }
    expect(partOf(proven, "recent money in").age_s).toBeLessThan(20);
  });

  test("that came in seconds ago is compared already, without waiting for the walk", async () => {
    const row = await received({ receivedAt: new Date(Date.now() - 3_000) });
    lose("payments", row);
    const named = (await until("it is found", async () => {
      const { differences } = await proof();
      return differences.find(({ transfers }) => transfers.some(({ intake_id }) => intake_id === row.intake_id));
    })) as { transfers: object[] };
    expect(named.transfers).toEqual([
      { intake_id: row.intake_id, merchant_id: "mer_1", what: ["payments does not hold it"] },
    ]);
    held.payments.push(row);
    await until("it is mended", async () => (await proof()).differences.length === 0);
  });

  test("differs in a minute that one service holds otherwise, and no more once it holds the same", async () => {
    const minute = minuteAgo(21);
    const [one, other] = [await received({ receivedAt: minute }), await received({ receivedAt: minute, amount: 200n })];
    heldBy("payments", one).amount = 99n;
    lose("webhooks", other);
    const [found, ...others] = await differencesAt(minute);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      mode: "live",
      kind: "collection",
      accounts: { count: 2, sum: "300" },
      ledger: { count: 2, sum: "300" },
      payments: { count: 2, sum: "299" },
      webhooks: { count: 1, sum: "100" },
      what: ["count", "sum", "intake"],
    });
    expect(new Set(found?.transfers.flatMap(({ what }) => what))).toEqual(
      new Set(["merchant or amount: payments differs from accounts", "webhooks does not hold it"]),
    );
    heldBy("payments", one).amount = 100n;
    held.webhooks.push(other);
    expect(await differencesAt(minute)).toEqual([]);
  });

  test("differs where money of one merchant is another's, although count and sum are right", async () => {
    const minute = minuteAgo(23);
    const row = await received({ receivedAt: minute });
    heldBy("ledger", row).merchant_id = "mer_2";
    expect(await differencesAt(minute)).toMatchObject([
      { what: ["intake"], transfers: [{ intake_id: row.intake_id, merchant_id: "mer_1" }] },
    ]);
    heldBy("ledger", row).merchant_id = "mer_1";
    expect(await differencesAt(minute)).toEqual([]);
  });

  test("counts allocated money as it went: into suspense, and from there to its owner", async () => {
    const minute = minuteAgo(22);
    const suspended = await received({ receivedAt: minute, merchantId: null }, []);
    const allocated = await received({ receivedAt: minute, amount: 300n, isAllocated: true });
    const suspense = { kind: "suspense" as const, merchant_id: null };
    held.ledger.push({ ...suspended, ...suspense }, { ...allocated, ...suspense });
    expect(await differencesAt(minute)).toEqual([]);
    const row = heldBy("ledger", suspended, "suspense");
    row.amount = 1n;
    expect(await differencesAt(minute)).toMatchObject([{ kind: "suspense", payments: null, webhooks: null }]);
    row.amount = 100n;
  });

  test("is no difference while it is under way, wherever it has come to", async () => {
    const minute = minuteAgo(24);
    const rows = [
      await received({ receivedAt: minute, isCompleted: false }, ["ledger"]),
      await received({ receivedAt: minute, isCompleted: false }, []),
      await received({ receivedAt: minute, merchantId: null, isCompleted: false }, []),
    ];
    expect(await differencesAt(minute)).toEqual([]);
    // Once it has come to its end it must be everywhere.
    await world.owner.query("update inbound_transfers set completed_at = now() where intake_id = $1", [
      rows[0]?.intake_id,
    ]);
    expect(await differencesAt(minute)).toMatchObject([{ transfers: [{ intake_id: rows[0]?.intake_id }] }]);
    for (const row of rows.slice(0, 2)) for (const service of SERVICES) held[service].push(row);
    lose("ledger", rows[0] as HeldRow);
    held.ledger.push(rows[0] as HeldRow, { ...(rows[2] as HeldRow), kind: "suspense" });
    await world.owner.query("update inbound_transfers set completed_at = now() where completed_at is null");
    expect(await differencesAt(minute)).toEqual([]);
  });

  test("is compared again once there is not too much under way to leave out", async () => {
    const minute = minuteAgo(25);
    await world.owner.query(
      `insert into inbound_transfers (intake_id, bank, mode, bank_transfer_id, account_number, amount, currency,
         payer_name, paid_at, received_at, drive_at, merchant_id)
       select 'int_flood_' || n, '729', 'live', 'flood-' || n, '0000000017', 100, 'NGN', 'Chidi Eze', $1, $1, 'infinity', 'mer_1'
       from generate_series(1, ${UNDER_WAY_MAX + 1}) as n`,
      [minute],
    );
    expect(await differencesAt(minute)).toEqual([]);
    await world.owner.query("update inbound_transfers set completed_at = now() where completed_at is null");
    expect(await differencesAt(minute)).toMatchObject([
      { accounts: { count: UNDER_WAY_MAX + 1 }, ledger: { count: 0 } },
    ]);
    for (let n = 1; n <= UNDER_WAY_MAX + 1; n++)
      for (const service of SERVICES)
        held[service].push({
          mode: "live",
          kind: "collection",
          intake_id: `int_flood_${n}`,
          merchant_id: "mer_1",
          amount: 100n,
          receivedAt: minute,
        });
    expect(await differencesAt(minute)).toEqual([]);
  });
});

describe("older history", () => {
  test("is walked through, so a restored database is noticed, and what differed is compared again", async () => {
    const minute = minuteAgo(3 * 24 * 60);
    const row = await received({ receivedAt: minute });
    await received({ receivedAt: minuteAgo(4 * 24 * 60) });
    lose("webhooks", row);
    await until("noticed", async () => (await differencesAt(minute)).length > 0);
    held.webhooks.push(row);
    expect(await differencesAt(minute)).toEqual([]);
    await until("the walk ends", async () => !partOf(await proof(), "history").notes.includes("no round is over yet"));
  });

  test.each([
    ["long before", minuteAgo(700 * 24 * 60)],
    ["after", minuteAgo(-60)],
  ])("that the ledger posts to is compared, also where it lies %s all that accounts took in", async (_when, minute) => {
    const forged: HeldRow = {
      mode: "live",
      kind: "collection",
      intake_id: `int_forged_${minute.getTime()}`,
      merchant_id: "mer_1",
      amount: 500n,
      receivedAt: minute,
    };
    held.ledger.push(forged);
    posted.push(wire(minute));
    await until("it is found", async () => (await differencesAt(minute)).length > 0);
    expect(await differencesAt(minute)).toMatchObject([
      { transfers: [{ intake_id: forged.intake_id, what: ["ledger holds it, accounts never took it in"] }] },
    ]);
    lose("ledger", forged);
    expect(await differencesAt(minute)).toEqual([]);
  });
});

describe("a service that does not answer", () => {
  test.each(SERVICES)("%s leaves the proof as it was, until it answers again", async (service) => {
    await stops[service]?.();
    await nextRounds();
    const { proven_at } = await proof();
    await nextRounds();
    expect((await proof()).proven_at).toBe(proven_at);
    await play(service);
    expect((await nextProof()).proven_at).not.toBe(proven_at);
  });

  /** Two rounds began: the others were asked, those of them that are there. */
  async function nextRounds() {
    const before = { ...asked };
    await until("asked twice", () => SERVICES.some((service) => asked[service] >= before[service] + 2));
  }
});

test("what is unfinished is counted as of now, by mode, and fails once it is for two minutes", async () => {
  const [older, newer] = [minuteAgo(40), new Date()];
  for (const receivedAt of [newer, older]) await anIntakeRow(world, { receivedAt, isCompleted: false });
  await anIntakeRow(world, { mode: "test", receivedAt: newer, isCompleted: false });
  const unfinished = await proof();
  expect(unfinished.unfinished).toEqual([
    { mode: "live", count: 2, overdue: 1, oldest_received_at: wire(older) },
    { mode: "test", count: 1, overdue: 0, oldest_received_at: wire(newer) },
  ]);
  expect(partOf(unfinished, "unfinished money in")).toMatchObject({
    holds: false,
    differences: [{ where: "mode live" }],
  });
  await world.owner.query("update inbound_transfers set completed_at = now() where completed_at is null");
  const finished = await proof();
  expect([finished.unfinished, partOf(finished, "unfinished money in").holds]).toEqual([[], true]);
});

test("a round is taken by one of many replicas, and not before it is due", async () => {
  await world.stop();
  world.stop = async () => {};
  await world.owner.query("update audit_proofs set next_at = now()");
  const claims = await Promise.all(Array.from({ length: 10 }, () => claimRound(world.pool, 3_600_000)));
  expect(claims.filter((round) => round !== undefined)).toHaveLength(1);
});
