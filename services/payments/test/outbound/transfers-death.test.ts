import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { ensureStreams, streamName } from "@collect/bus";
import { transferRecorded } from "@collect/contracts";
import { until, type World } from "@collect/testing";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { CONFIG } from "../inbound/sessions-world.ts";
import { startBank } from "./http-bank.ts";
import {
  aFundedMerchant,
  anOrder,
  BANK_API_SECRET,
  LIVE_ACCOUNT,
  openPayments,
  type PlayedLedger,
  type PlayedWebhooks,
  playLedger,
  playWebhooks,
  rowsOf,
  send,
  untilStep,
} from "./transfers-world.ts";

const MAIN = new URL("../../src/main.ts", import.meta.url).pathname;

let world: World;
let ledger: PlayedLedger;
let webhooks: PlayedWebhooks;

beforeAll(async () => {
  world = await openPayments();
  [ledger, webhooks] = await Promise.all([playLedger(world), playWebhooks(world)]);
});
afterAll(async () => {
  await ledger?.stop();
  await world?.close();
});

/** The service as a process of its own, ready. */
async function startProcess(bankUrl: string, failpoint?: string) {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      DATABASE_URL: world.database.service,
      NATS_URL: world.natsUrl,
      CHECKOUT_URL: "http://127.0.0.1:4100",
      BANK_URL: bankUrl,
      BANK_API_SECRET,
      BANK_CODE: "729",
      BANK_NAME: "Harbour Bank",
      TRANSFER_KEY: CONFIG.TRANSFER_KEY,
      ...(failpoint && { FAILPOINT: failpoint }),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  for await (const line of createInterface({ input: child.stdout })) if (line.includes('"ready"')) break;
  child.stdout.resume();
  return { exited };
}

/** What a process of an earlier case has died with in hand would come again here, and take this one's failpoint. */
async function forgetRecorded(): Promise<void> {
  const { manager } = world.others;
  await ensureStreams(manager, [transferRecorded]);
  await manager.streams.purge(streamName(transferRecorded.from, "live"));
}

/** Leases run out, and whatever waits is due. */
const timePasses = () => world.owner.query("update transfers set next_at = now() where next_at is not null");

/** The commits of one transfer in order; `posted` is when the bank has answered, `published` when the merchant's event was acknowledged. */
test.each([
  ["once the order is committed", "committed:1", "created"],
  ["once the money is held", "committed:2", "reserved"],
  ["once it may call the bank, before it has", "committed:3", "sending"],
  ["once the bank has answered", "posted", "sending"],
  ["once the bank's word is stored", "committed:4", "decided"],
  ["once the end is booked", "committed:5", "booked"],
  ["once it is known to be told", "committed:6", "told"],
  ["once all is done", "published", "told"],
])("dying %s, it pays at most once and loses no reserve", async (_case, failpoint, step) => {
  const bank = await startBank();
  const merchant = aFundedMerchant(ledger, "live");
  await forgetRecorded();
  const dying = await startProcess(bank.url, failpoint);
  // Whoever asked a process that dies gets no answer, or one that came before.
  void send(world, merchant, anOrder(LIVE_ACCOUNT)).catch(() => {});
  expect(await dying.exited).toEqual([null, "SIGKILL"]);
  expect(await rowsOf(world, merchant)).toMatchObject([{ step }]);

  await timePasses();
  await startProcess(bank.url);
  const neverCalled = failpoint === "committed:3";
  if (neverCalled) {
    await until("the bank was asked", () => bank.asked.length > 0);
    expect(await rowsOf(world, merchant)).toMatchObject([{ step: "sending", status: "pending" }]);
    await world.owner.query("update transfers set sent_at = now() - interval '601 seconds'");
    await timePasses();
  }
  const [row] = await untilStep(world, merchant, "told");
  const reference = row?.reference ?? "";
  const end = neverCalled ? "failed" : "success";
  expect(row).toMatchObject({ status: end });
  expect(bank.sent).toEqual(neverCalled ? [] : [reference]);
  expect(ledger.held.get(reference)).toMatchObject({ reserved: true, ends: [end], suspense: [] });
  expect(ledger.settled(merchant)).toBe(neverCalled ? 100_000_000n : 99_749_927n);
  expect(new Set(webhooks.about(reference).map(({ key }) => key))).toEqual(new Set([`${reference}:${end}`]));
});
