import { transferRecorded } from "@collect/contracts";
import { aMerchant, until } from "@collect/testing";
import { describe, expect, test } from "vitest";
import {
  aFundedMerchant,
  anOrder,
  type Row,
  refusalOf,
  rowsOf,
  send,
  show,
  testAccount,
  untilStatus,
  untilStep,
} from "./transfers-world.ts";
import { useTransfers } from "./use-transfers.ts";

const { world, ledger, webhooks } = await useTransfers();

describe("without the ledger", () => {
  test("an order gets a 503, and a repeat continues the same transfer", async () => {
    const merchant = aFundedMerchant(ledger);
    const order = anOrder();
    ledger.isDown = true;
    expect(await refusalOf(send(world, merchant, order))).toBe("service_unavailable");
    expect(await rowsOf(world, merchant)).toMatchObject([{ step: "created" }]);
    ledger.isDown = false;
    expect(await send(world, merchant, order)).toMatchObject({ created: true });
    expect(await untilStep(world, merchant, "told")).toHaveLength(1);
  });

  test("an order that is never repeated is continued or refused by the worker", async () => {
    const [rich, poor] = [aFundedMerchant(ledger), aMerchant()];
    ledger.isDown = true;
    ledger.claims = 100_000_000n;
    for (const merchant of [rich, poor])
      expect(await refusalOf(send(world, merchant, anOrder()))).toBe("service_unavailable");
    await world.owner.query("update transfers set next_at = now() where merchant_id = any($1)", [[rich.id, poor.id]]);
    await until("the worker has tried and failed", async () => {
      const rows = [...(await rowsOf(world, rich)), ...(await rowsOf(world, poor))];
      return rows.every(({ step, attempts }) => step === "created" && Number(attempts) > 0);
    });
    ledger.isDown = false;
    ledger.claims = undefined;
    expect(await untilStep(world, rich, "told")).toMatchObject([{ status: "success" }]);
    expect(await untilStep(world, poor, "refused")).toHaveLength(1);
  });

  test("the end is published only after it is booked", async () => {
    const merchant = aFundedMerchant(ledger);
    const { transfer } = await send(world, merchant, anOrder({ account_number: testAccount(4) }));
    ledger.isDown = true;
    await untilStep(world, merchant, "decided");
    expect(await show(world, merchant, transfer.reference)).toMatchObject({ status: "pending", failure_code: null });
    expect(webhooks.about(transfer.reference)).toEqual([]);
    ledger.isDown = false;
    expect(await untilStep(world, merchant, "told")).toMatchObject([{ status: "failed" }]);
  });
});

describe("the merchant's event", () => {
  test("is published again until it is recorded, identically each time", async () => {
    webhooks.isDown = true;
    const merchant = aFundedMerchant(ledger);
    const { transfer } = await send(world, merchant, anOrder());
    const published = await until("published three times", () => {
      const facts = webhooks.about(transfer.reference);
      return facts.length >= 3 && facts;
    });
    for (const fact of published) expect(fact).toEqual(published[0]);
    webhooks.isDown = false;
    await untilStep(world, merchant, "told");
  });

  test("of a reversal is published only after that of its success is recorded", async () => {
    webhooks.isDown = true;
    const merchant = aFundedMerchant(ledger);
    const { transfer } = await send(world, merchant, anOrder({ account_number: testAccount(5) }));
    await untilStatus(world, merchant, transfer.reference, "reversed");
    const times = webhooks.about(transfer.reference).length;
    await until("published twice more", () => webhooks.about(transfer.reference).length >= times + 2);
    expect(new Set(webhooks.about(transfer.reference).map(({ status }) => status))).toEqual(new Set(["success"]));
    webhooks.isDown = false;
    await untilStep(world, merchant, "told");
    const statuses = webhooks.about(transfer.reference).map(({ status }) => status);
    expect(statuses.lastIndexOf("success")).toBeLessThan(statuses.indexOf("reversed"));
  });

  test("that is recorded twice, or of an unknown transfer, changes nothing", async () => {
    const merchant = aFundedMerchant(ledger);
    const { transfer } = await send(world, merchant, anOrder());
    const [row] = await untilStep(world, merchant, "told");
    const recorded = { merchant, sequence: 1, recordedAt: "2026-11-21T09:30:02.000+00:00" };
    const keys = [`${transfer.reference}:success`, `${transfer.reference}:success`, "trf_unknown:failed"];
    await world.others.publish(
      transferRecorded,
      keys.map((key) => ({ key, ...recorded })),
    );
    const { transfer: next } = await send(world, merchant, anOrder());
    await untilStatus(world, merchant, next.reference, "success");
    await untilStep(world, merchant, "told");
    // The follow-up may have run in the meantime.
    const { follow_ups: _, follow_up_at: __, ...same } = row as Row;
    expect((await rowsOf(world, merchant))[0]).toMatchObject(same);
  });
});
