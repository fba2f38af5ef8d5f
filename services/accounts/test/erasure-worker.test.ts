import { answer, serveRequests } from "@collect/bus";
import {
  eraseCollections,
  eraseEvents,
  eraseLedgerDeadLetters,
  eraseSessions,
  findPersonTransfers,
} from "@collect/contracts";
import { randomId, startComponents, until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { listErasures, orderErasures } from "../src/store/erasures.ts";
import { readInFlight } from "../src/store/received-minutes.ts";
import { createErasureWorker } from "../src/workers/erasures.ts";
import { anIntakeRow } from "./intake-rows.ts";
import { useAccountsWorld } from "./world.ts";

const world = await useAccountsWorld();
const pool = world.pools.workers;
const body_hash = "aa".repeat(32);
const receivedAt = new Date("2026-11-20T10:00:00.000Z");

/** What webhooks has an event of, and the transfers of the person. */
const recorded = new Set<string>();
const transfers: string[] = [];
const { others, log } = world;
afterAll(
  await startComponents([
    serveRequests(others, {
      service: "payments",
      log,
      requests: [
        answer(findPersonTransfers, async () => ({ intake_ids: transfers, next: null })),
        answer(eraseCollections, async () => ({})),
        answer(eraseSessions, async () => ({ next: null })),
      ],
    }),
    serveRequests(others, { service: "ledger", log, requests: [answer(eraseLedgerDeadLetters, async () => ({}))] }),
    serveRequests(others, {
      service: "webhooks",
      log,
      requests: [
        answer(eraseEvents, async ({ intake_ids }) => ({
          events: intake_ids.filter((id) => recorded.has(id)).map((intake_id) => ({ intake_id, body_hash })),
        })),
      ],
    }),
  ]),
);

const alarms: { alarm?: string; intake_ids?: string[] }[] = [];
const alarming = Object.assign(Object.create(log), { error: (line: object) => void alarms.push(line) });
const erasing = { everyMs: 10, leaseMs: 60_000, waitMs: 10, missingMs: 10, batchMax: 2 };
afterAll(
  await startComponents([
    createErasureWorker({ pool, bus: world.bus, log: alarming, partners: { own: "729" }, erasing }),
  ]),
);

async function aTransfer(): Promise<string> {
  const intakeId = await anIntakeRow({ ...world, doorUrl: "", stop: async () => {} }, { receivedAt });
  await world.owner.query("update inbound_transfers set reference = 'col_' || intake_id where intake_id = $1", [
    intakeId,
  ]);
  return intakeId;
}

test("transfers without an event fill a batch, and the others are erased all the same; once recorded, they are too", async () => {
  for (let n = 0; n < 7; n++) transfers.push(await aTransfer());
  transfers.sort();
  const missing = transfers.slice(0, 2);
  for (const intakeId of transfers.slice(2)) recorded.add(intakeId);
  const id = randomId("ers");
  await orderErasures(pool, [{ id, merchant: { id: "mer_1", mode: "live" }, kind: "payer", reference: "col_1" }]);
  const unerased = async () =>
    (
      await world.owner.query("select intake_id from erased_transfers where erasure_id = $1 and run = 0 order by 1", [
        id,
      ])
    ).rows.map(({ intake_id }) => intake_id);
  await until("the others are erased", async () => (await unerased()).length === 2);
  expect(await unerased()).toEqual(missing);
  await until("the alarm names them", () => alarms.find(({ alarm }) => alarm === "erasure_incomplete"));
  expect(alarms.at(0)).toMatchObject({ erasure: id, intake_ids: missing });
  const span = { from: "2026-11-20T10:00:00+00:00", to: "2026-11-20T10:01:00+00:00" };
  await until("the audit compares them", async () => (await readInFlight(pool, span, 100)).length === 0);
  expect(await listErasures(pool, id)).toMatchObject([{ finished_at: null }]);

  for (const intakeId of missing) recorded.add(intakeId);
  await until("it is finished", async () => (await listErasures(pool, id))[0]?.finished_at);
  expect(await unerased()).toEqual([]);
});
