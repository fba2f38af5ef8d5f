import { answer, serveRequests } from "@collect/bus";
import {
  countIntakes,
  endRecovery,
  findFirstReceived,
  getRecovery,
  instantOf,
  listOutboundTransfers,
  redriveReversals,
  redriveTransfers,
  startRecovery,
} from "@collect/contracts";
import { until } from "@collect/testing";
import { expect, test } from "vitest";
import { useLedger } from "./ledger.ts";

/** A recovery that waits for what never comes, and that an operator ends. accounts and payments are played. */

const ledger = await useLedger();
const { others, log } = ledger;

const MINUTE = instantOf(new Date(Math.floor(Date.now() / 60_000) * 60_000));
/** A collection that the ledger never gets. */
let missing = 1;
let asked = 0;
const accounts = [
  answer(findFirstReceived, async () => ({ received_at: MINUTE, earlier: [] })),
  answer(countIntakes, async () => {
    asked++;
    const minute = { mode: "live" as const, kind: "collection" as const, minute: MINUTE, count: 1, sum: 100n };
    return { minutes: Array.from({ length: missing }, () => minute) };
  }),
  answer(redriveTransfers, async () => ({ redrives: [] })),
  answer(redriveReversals, async () => ({ rows: [], next: null })),
];
await serveRequests(others, { service: "accounts", log, requests: accounts }).start();
const payments = [answer(listOutboundTransfers, async () => ({ rows: [], next: null }))];
await serveRequests(others, { service: "payments", log, requests: payments }).start();

const recovery = () => others.request(getRecovery.ledger, {});
const start = () => others.request(startRecovery.ledger, { restored_to: instantOf(new Date(Date.now() - 60_000)) });

test("a recovery that an operator ends stays ended, and the next one is carried out", async () => {
  await until("a neighbor confirms the ledger", async () => (await recovery()).is_current);
  await start();
  await until("it waits", () => asked > 2);
  await others.request(endRecovery.ledger, {});
  await until("the ledger is open", async () => (await recovery()).is_current);
  const before = asked;
  const seen = new Set<string>();
  for (const end = Date.now() + 3_000; Date.now() < end; ) {
    const { is_current, recovery: last } = await recovery();
    seen.add(`${is_current} ${last?.step}`);
  }
  expect([...seen]).toEqual(["true ended by hand"]);
  expect(asked - before).toBeLessThan(2);

  await start();
  await until("the next one waits, too", () => asked > before + 3);
  missing = 0;
  await until("it has caught up", async () => (await recovery()).is_current);
  expect((await recovery()).recovery?.step).toBe("done");
});
