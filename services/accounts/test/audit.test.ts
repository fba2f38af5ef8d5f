import { answer, serveRequests } from "@collect/bus";
import { countMinutes, getCompletenessProof, type ReceivedMinute } from "@collect/contracts";
import { startParts, until } from "@collect/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { claimRound } from "../src/store/audit.ts";
import { anIntakeRow } from "./intake-rows.ts";
import { type AccountsWorld, openAccounts } from "./world.ts";

type Service = keyof typeof countMinutes;
const SERVICES: Service[] = ["ledger", "payments", "webhooks"];

let world: AccountsWorld;
/** What the others hold, and how often they were asked. */
const held: Record<Service, ReceivedMinute[]> = { ledger: [], payments: [], webhooks: [] };
const asked: Record<Service, number> = { ledger: 0, payments: 0, webhooks: 0 };
const stops: Partial<Record<Service, () => Promise<void>>> = {};

async function play(service: Service): Promise<void> {
  const minutes = answer(countMinutes[service], async ({ from, to }) => {
    asked[service]++;
    const [start, end] = [Date.parse(from), Date.parse(to)];
    expect(end - start).toBeLessThanOrEqual(3_600_000);
    return { minutes: held[service].filter(({ minute }) => Date.parse(minute) >= start && Date.parse(minute) < end) };
  });
  stops[service] = await startParts([serveRequests(world.others, { service, log: world.log, requests: [minutes] })]);
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
/** Waits for a round that began after this. */
async function nextProof() {
  const { proven_at } = await proof();
  const between = await until(
    "proven",
    async () => (await proof()).proven_at !== proven_at && (await proof()).proven_at,
  );
  await until("proven by a round that began since", async () => (await proof()).proven_at !== between);
  return proof();
}
const differencesAt = async (minute: string) =>
  (await nextProof()).differences.filter((difference) => difference.minute === minute);

/** Each test has minutes of its own, counted back from when this file began. */
const BEGAN = Math.floor(Date.now() / 60_000) * 60_000;
const minuteAgo = (minutes: number) => new Date(BEGAN - minutes * 60_000);
const wire = (minute: Date) => minute.toISOString().replace("Z", "+00:00");
const within = (minute: Date, ms: number) => new Date(minute.getTime() + ms);
const hold = (service: Service, minute: Date, given: Partial<ReceivedMinute> = {}) =>
  held[service].push({ mode: "live", kind: "collection", minute: wire(minute), count: 2, sum: 300n, ...given });

async function twoTransfers(minute: Date) {
  await anIntakeRow(world, { receivedAt: minute, amount: 100n });
  await anIntakeRow(world, { receivedAt: within(minute, 59_999), amount: 200n });
}

describe("what every service holds", () => {
  test("is proven where all hold what came in: every minute of the last 65 that is closed", async () => {
    const minute = minuteAgo(20);
    for (const service of SERVICES) hold(service, minute);
    await twoTransfers(minute);
    const { proven_at, from, to, minutes, compared, differences } = await nextProof();
    expect(Date.parse(proven_at ?? "")).toBeGreaterThan(Date.now() - 30_000);
    expect(Date.parse(to ?? "") - Date.parse(from ?? "")).toBe(65 * 60_000);
    expect(minutes).toBe(65);
    expect(Date.now() - Date.parse(to ?? "")).toBeGreaterThanOrEqual(60_000);
    expect(differences.filter((difference) => difference.minute === wire(minute))).toEqual([]);
    const both = { count: 2, sum: "300" };
    const all = { accounts: both, ledger: both, payments: both, webhooks: both };
    expect(compared.filter((one) => one.minute === wire(minute))).toEqual([
      { mode: "live", kind: "collection", minute: wire(minute), ...all },
    ]);
  });

  test("differs in a minute that one service holds otherwise, and no more once it holds the same", async () => {
    const minute = minuteAgo(21);
    await twoTransfers(minute);
    hold("ledger", minute);
    hold("payments", minute, { sum: 299n });
    const whole = { count: 2, sum: "300" };
    expect(await differencesAt(wire(minute))).toEqual([
      {
        mode: "live",
        kind: "collection",
        minute: wire(minute),
        accounts: whole,
        ledger: whole,
        payments: { count: 2, sum: "299" },
        webhooks: { count: 0, sum: "0" },
      },
    ]);
    hold("webhooks", minute);
    const payments = held.payments.find((one) => one.minute === wire(minute));
    if (payments) payments.sum = 300n;
    expect(await differencesAt(wire(minute))).toEqual([]);
  });

  test("counts allocated money as it went: into suspense, and from there to its owner", async () => {
    const minute = minuteAgo(22);
    await anIntakeRow(world, { receivedAt: minute, amount: 100n, merchantId: null });
    await anIntakeRow(world, { receivedAt: minute, amount: 300n, isAllocated: true });
    hold("ledger", minute, { kind: "suspense", count: 2, sum: 400n });
    for (const service of SERVICES) hold(service, minute, { count: 1, sum: 300n });
    expect(await differencesAt(wire(minute))).toEqual([]);
    const suspense = held.ledger.find((one) => one.minute === wire(minute) && one.kind === "suspense");
    if (suspense) suspense.count = 1;
    expect(await differencesAt(wire(minute))).toMatchObject([{ kind: "suspense", payments: null, webhooks: null }]);
    if (suspense) suspense.count = 2;
  });

  test("is not compared in a minute that may still grow", async () => {
    const now = new Date();
    await anIntakeRow(world, { receivedAt: now });
    const { differences } = await nextProof();
    expect(differences.filter(({ minute }) => Date.parse(minute) > now.getTime() - 60_000)).toEqual([]);
  });
});

describe("older history", () => {
  test("is walked through hour by hour, so a restored database is noticed, and what differed is compared again", async () => {
    const minute = minuteAgo(3 * 24 * 60);
    await twoTransfers(minute);
    for (const service of SERVICES) hold(service, minute);
    await anIntakeRow(world, { receivedAt: minuteAgo(4 * 24 * 60) });
    const [lost] = held.webhooks.splice(
      held.webhooks.findIndex((one) => one.minute === wire(minute)),
      1,
    );
    await until("noticed", async () => (await differencesAt(wire(minute))).length > 0);
    if (lost) held.webhooks.push(lost);
    expect(await differencesAt(wire(minute))).toEqual([]);
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

  /** Two rounds began: the others were asked, whoever of them is there. */
  async function nextRounds() {
    const before = { ...asked };
    await until("asked twice", () => SERVICES.some((service) => asked[service] >= before[service] + 2));
  }
});

test("what is unfinished is counted as of now, by mode", async () => {
  const [older, newer] = [minuteAgo(40), minuteAgo(30)];
  for (const receivedAt of [newer, older]) await anIntakeRow(world, { receivedAt, isCompleted: false });
  await anIntakeRow(world, { mode: "test", receivedAt: newer, isCompleted: false });
  expect((await proof()).unfinished).toEqual([
    { mode: "live", count: 2, oldest_received_at: wire(older) },
    { mode: "test", count: 1, oldest_received_at: wire(newer) },
  ]);
  await world.owner.query("update inbound_transfers set completed_at = now() where completed_at is null");
  expect((await proof()).unfinished).toEqual([]);
});

test("a round is taken by one of many replicas, and not before it is due", async () => {
  await world.stop();
  world.stop = async () => {};
  await world.owner.query("update audit_proofs set next_at = now()");
  const claims = await Promise.all(Array.from({ length: 10 }, () => claimRound(world.pool, 3_600_000)));
  expect(claims.filter((round) => round !== undefined)).toHaveLength(1);
});
