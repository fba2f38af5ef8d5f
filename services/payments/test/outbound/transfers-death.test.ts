import { ensureStreams, streamName } from "@collect/bus";
import { transferRecorded } from "@collect/contracts";
import { until } from "@collect/testing";
import { expect, test } from "vitest";
import { startBank } from "./http-bank.ts";
import { startProcess } from "./payments-process.ts";
import { aFundedMerchant, anOrder, LIVE_ACCOUNT, rowsOf, send, untilStep } from "./transfers-world.ts";
import { useNeighbors } from "./use-transfers.ts";

const { world, ledger, webhooks } = await useNeighbors();

/**
 * A message that was in flight when an earlier process died would be redelivered here, and trigger the failpoint of
 * this case.
 */
async function purgeRecorded(): Promise<void> {
  const { manager } = world.others;
  await ensureStreams(manager, [transferRecorded]);
  await manager.streams.purge(streamName(transferRecorded.from, "live"));
}

/** Makes every waiting transfer due, as if its lease had expired. */
const makeAllDue = () => world.owner.query("update transfers set next_at = now() where next_at is not null");

/**
 * The commits of one transfer in order; `posted` is after the bank has responded, `published` after the merchant's
 * event was acknowledged.
 */
test.each([
  ["once the order is committed", "committed:1", "created"],
  ["once the money is reserved", "committed:2", "reserved"],
  ["once it may call the bank, but before the call", "committed:3", "sending"],
  ["once the bank has responded", "posted", "sending"],
  ["once the bank's verdict is stored", "committed:4", "decided"],
  ["once the end is booked", "committed:5", "booked"],
  ["once the event is known to be recorded", "committed:6", "told"],
  ["once all is done", "published", "told"],
])("a process that dies %s pays at most once and loses no reserve", async (_case, failpoint, step) => {
  const bank = await startBank();
  const merchant = aFundedMerchant(ledger, "live");
  await purgeRecorded();
  const dying = await startProcess(world, bank.url, failpoint);
  // The request to a dying process gets no response, or one that was sent before.
  void send(world, merchant, anOrder(LIVE_ACCOUNT)).catch(() => {});
  expect(await dying.exited).toEqual([null, "SIGKILL"]);
  expect(await rowsOf(world, merchant)).toMatchObject([{ step }]);

  await makeAllDue();
  await startProcess(world, bank.url);
  const bankNeverCalled = failpoint === "committed:3";
  if (bankNeverCalled) {
    await until("the bank was queried", () => bank.payoutEnquiries.length > 0);
    expect(await rowsOf(world, merchant)).toMatchObject([{ step: "sending", status: "pending" }]);
    await world.owner.query(
      "update transfers set sent_at = now() - interval '601 seconds', unknown_since = now() - interval '601 seconds'",
    );
    await makeAllDue();
  }
  const [row] = await untilStep(world, merchant, "told");
  const reference = row?.reference ?? "";
  const end = bankNeverCalled ? "failed" : "success";
  expect(row).toMatchObject({ status: end });
  expect(bank.sent).toEqual(bankNeverCalled ? [] : [reference]);
  expect(ledger.held.get(reference)).toMatchObject({ reserved: true, ends: [end], suspense: [] });
  expect(ledger.settled(merchant)).toBe(bankNeverCalled ? 100_000_000n : 99_749_927n);
  expect(new Set(webhooks.about(reference).map(({ key }) => key))).toEqual(new Set([`${reference}:${end}`]));
});
