import { until } from "@collect/testing";
import { describe, expect, test } from "vitest";
import { claimRound } from "../src/store/audit.ts";
import {
  differencesAt,
  type HeldRow,
  held,
  lose,
  minuteAgo,
  nextProof,
  partOf,
  play,
  posted,
  proof,
  received,
  requestCounts,
  SERVICES,
  stops,
  useAuditWorld,
  wire,
  world,
} from "./audit-world.ts";
import { anIntakeRow } from "./intake-rows.ts";

await useAuditWorld();

describe("the history", () => {
  test("is walked, so a restored database is detected, and differing minutes are compared again", async () => {
    const minute = minuteAgo(3 * 24 * 60);
    const row = await received({ receivedAt: minute });
    await received({ receivedAt: minuteAgo(4 * 24 * 60) });
    lose("webhooks", row);
    await until("detected", async () => (await differencesAt(minute)).length > 0);
    held.webhooks.push(row);
    await until("it differs no longer", async () => (await differencesAt(minute)).length === 0);
    await until(
      "the walk ends",
      async () => !partOf(await proof(), "history").notes.includes("no round has finished yet"),
    );
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
    await until("it differs no longer", async () => (await differencesAt(minute)).length === 0);
  });
});

describe("a service that does not respond", () => {
  test.each(SERVICES)("%s leaves the proof unchanged until it responds again", async (service) => {
    await stops[service]?.();
    await nextRounds();
    const { proven_at } = await proof();
    await nextRounds();
    expect((await proof()).proven_at).toBe(proven_at);
    await play(service);
    expect((await nextProof()).proven_at).not.toBe(proven_at);
  });

  /** Two rounds began: the available services received their requests. */
  async function nextRounds() {
    const before = { ...requestCounts };
    await until("requested twice", () => SERVICES.some((service) => requestCounts[service] >= before[service] + 2));
  }
});

test("unfinished transfers are counted now, by mode, and fail the proof after two minutes", async () => {
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

test("a round is claimed by one of several replicas, and not before it is due", async () => {
  await world.stop();
  await world.owner.query("update audit_proofs set next_at = now()");
  const claims = await Promise.all(Array.from({ length: 10 }, () => claimRound(world.pool, 3_600_000)));
  expect(claims.filter((round) => round !== undefined)).toHaveLength(1);
});
