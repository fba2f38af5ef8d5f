import { expect, test } from "vitest";
import { anEvent, aTransfer } from "../../../test/examples.ts";
import { type TransferTimeline, transferSteps } from "./transfer-steps.ts";

const at = (time: string) => `2026-11-21T${time}.000+00:00`;
const aTimeline = (changed: Partial<TransferTimeline> = {}): TransferTimeline => ({
  transfer: aTransfer(),
  sent_at: at("10:00:01"),
  reversed_at: null,
  ordered_by: null,
  held_for: null,
  approval: null,
  events: [],
  ...changed,
});
const whatOf = (timeline: TransferTimeline) => transferSteps(timeline, null, null).map(({ what }) => what);

test("a pending transfer ends with the bank's outstanding response, and shows no webhook yet", () => {
  expect(whatOf(aTimeline())).toEqual([
    "Created",
    "Reserved from settled balance",
    "Sent to the bank",
    "Waiting for the bank",
  ]);
});

test.each([
  ["merchant_suspended", "On hold: this business is suspended. The money stays reserved."],
  ["payouts_stopped", "On hold: transfers are stopped. It will be sent once they start again."],
  [null, "Not yet."],
] as const)("a transfer held for %s says why it is not sent", (held_for, detail) => {
  const sent = transferSteps(aTimeline({ sent_at: null, held_for }), null, null).find(
    ({ what }) => what === "Sent to the bank",
  );
  expect([sent?.at, sent?.detail]).toEqual([null, detail]);
});

test("an unavailable ledger leaves its timestamp empty and says so", () => {
  const [, reserve] = transferSteps(aTimeline(), null, null);
  expect([reserve?.at, reserve?.detail]).toEqual([null, "The ledger's timestamp is temporarily unavailable."]);
});

test("a failed transfer shows why, and that the money was returned", () => {
  const transfer = aTransfer({
    status: "failed",
    failure_reason: "The account is closed.",
    completed_at: at("10:01:00"),
  });
  const failed = transferSteps(aTimeline({ transfer }), null, null)[3];
  expect(failed).toMatchObject({
    what: "Failed; returned to settled balance",
    detail: "The account is closed.",
    isBad: true,
  });
});

test("a reversed transfer was paid first: both are shown, and the time of the payment comes from its event", () => {
  const transfer = aTransfer({ status: "reversed", completed_at: at("10:01:00") });
  const events = [anEvent({ event: "transfer.success", created_at: at("10:00:30") })];
  const steps = transferSteps(aTimeline({ transfer, events, reversed_at: at("11:00:00") }), null, null);
  expect(steps.slice(3, 5).map(({ what, at }) => [what, at])).toEqual([
    ["Paid by the bank", at("10:00:30")],
    ["Reversed; returned to settled balance", at("11:00:00")],
  ]);
});
