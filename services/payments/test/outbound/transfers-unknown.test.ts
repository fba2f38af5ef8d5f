import type { MerchantScope } from "@collect/contracts";
import { until } from "@collect/testing";
import { describe, expect, test } from "vitest";
import { useLiveTransfers } from "./live-world.ts";
import { rowsOf, show, untilStep } from "./transfers-world.ts";

const { world, ledger, webhooks, start, aTransfer, expectEnds, bank } = await useLiveTransfers();

/** The bank has not known it for longer than the limit, since it was sent. */
const makeUnknown = (reference: string) =>
  world.owner.query(
    "update transfers set (sent_at, unknown_since, next_at) = (select at, at, now() from (select now() - interval '601 seconds') as old (at)) where reference = $1",
    [reference],
  );

/** Waits until the bank was asked three times more, and the answers are stored. */
async function untilAskedAgain({ merchant }: { merchant: MerchantScope }) {
  const attempts = async () => Number((await rowsOf(world, merchant))[0]?.attempts);
  const before = await attempts();
  await until("it was asked about again", async () => (await attempts()) > before + 2);
}

describe("a transfer that the bank does not know", () => {
  test("stays pending, and is not sent again, until the bank has said so for the time limit", async () => {
    await start();
    bank().onPay(() => {});
    const transfer = await aTransfer();
    await until("three enquiries", () => bank().payoutEnquiries.length >= 3);
    expect(await show(world, transfer.merchant, transfer.reference)).toMatchObject({ status: "pending" });
    await makeUnknown(transfer.reference);
    await expectEnds(transfer, ["failed"]);
    expect(await show(world, transfer.merchant, transfer.reference)).toMatchObject({ failure_code: "not_received" });
  });

  test("does not fail by the first such answer, as after a downtime of ours, however long ago it was sent", async () => {
    await start();
    bank().onPay(() => {});
    bank().onEnquiry((_id, response) => void response.writeHead(503).end());
    const transfer = await aTransfer();
    const { merchant, reference } = transfer;
    await until("an enquiry", () => bank().payoutEnquiries.length > 0);
    await world.owner.query("update transfers set sent_at = now() - interval '1 day' where reference = $1", [
      reference,
    ]);
    bank().onEnquiry((id, response) => bank().answer(response, id));
    await untilAskedAgain(transfer);
    expect(await show(world, merchant, reference)).toMatchObject({ status: "pending" });
    // What the bank said about a former order under the id is not said about this one.
    const sentAgain =
      "update transfers set sent_at = now(), next_at = now(), unknown_since = now() - interval '1 day' where reference = $1";
    await world.owner.query(sentAgain, [reference]);
    await untilAskedAgain(transfer);
    expect(await show(world, merchant, reference)).toMatchObject({ status: "pending" });
  });

  test("and that it had acknowledged before fails only once that has been said for the time limit anew", async () => {
    await start();
    bank().onPay((order) => bank().accept(order, "pending"));
    const transfer = await aTransfer();
    const { merchant, reference } = transfer;
    await until("an enquiry", () => bank().payoutEnquiries.length > 0);
    await makeUnknown(reference);
    const unknownSince = async () => (await rowsOf(world, merchant))[0]?.unknown_since;
    await until("the bank has it", async () => (await unknownSince()) === null);
    bank().payouts.delete(reference);
    await until("the bank does not have it", async () => (await unknownSince()) !== null);
    await untilAskedAgain(transfer);
    expect(await show(world, merchant, reference)).toMatchObject({ status: "pending" });
    await makeUnknown(reference);
    await expectEnds(transfer, ["failed"]);
  });

  test("and that is paid after all is booked to suspense; the transfer keeps its recorded status", async () => {
    await start({ unknownAfterMs: 0, followUpsMs: [0, 0] });
    bank().onPay((order) => {
      bank().onEnquiry((id, response) => {
        // Known only at the follow-up enquiry after the end.
        if (ledger.held.get(id)?.ends.includes("failed")) bank().accept(order, "success");
        bank().answer(response, id);
      });
    });
    const { merchant, reference } = await aTransfer();
    await until("the ledger has it in suspense", () => ledger.held.get(reference)?.suspense.length === 1);
    await untilStep(world, merchant, "told");
    expect(ledger.held.get(reference)).toMatchObject({ ends: ["failed"], suspense: ["success"] });
    expect(await show(world, merchant, reference)).toMatchObject({ status: "failed", failure_code: "not_received" });
    expect(new Set(webhooks.about(reference).map(({ status }) => status))).toEqual(new Set(["failed"]));
    expect(bank().sent).toEqual([reference]);
  });
});
