import { CollectionReversed, instantOf } from "@collect/contracts";
import { randomId, until } from "@collect/testing";
import { expect } from "vitest";
import { aBankTransfer, reportTransfer } from "../stack/bank.ts";
import { type Client, client } from "../stack/client.ts";
import { deliverNow } from "../stack/deliveries.ts";
import type { Stack, TestMerchant } from "../stack.ts";
import { proveNumbers } from "./numbers.ts";

/** What each reversal takes back, in naira. */
const PART = 100;

/** A collection of a live merchant that the bank takes back in parts. */
export type TakenBack = {
  /** Reports the next part until it is answered with 200. */
  reverse(): Promise<void>;
  /** Drives what waits now. */
  drive(): Promise<void>;
  /** Repeats every report; then each part was booked, shown and sent once, and no kobo more can be taken back. */
  prove(): Promise<void>;
};

export async function openTakenBack(stack: Stack, amount = 1_000): Promise<TakenBack> {
  const merchant = await stack.createMerchant({ rateLimits: { reads: 1_000_000 } });
  const api = client(stack.baseUrl, merchant.keys.sk_live);
  const { body: customer } = await api.post("/customer_accounts", { customer_reference: "c", customer_name: "Ada" });
  const credit = aBankTransfer({ account_number: String(customer.account_number), amount });
  await reportTransfer(stack.bankDoor, credit);
  await merchant.untilReceived("live", 1);
  const reports: object[] = [];
  const aReversal = (part: number) => ({
    ...{ id: randomId("back"), type: "reversal", reverses: credit.id, currency: "NGN" },
    ...{ account_number: credit.account_number, amount: part, paid_at: instantOf(new Date()) },
  });
  const drive = async () => {
    await stack.database("accounts").query("update inbound_reversals set drive_at = now() where completed_at is null");
  };
  const eventsOf = () => new Set(merchant.received("live").map(({ headers }) => headers["x-service-sequence"]));
  return {
    drive,
    async reverse() {
      const reversal = aReversal(PART);
      reports.push(reversal);
      await report(stack, reversal);
    },
    async prove() {
      for (const reversal of reports) await report(stack, reversal);
      const allRecorded = async () => {
        await drive();
        await deliverNow(stack);
        return eventsOf().size > reports.length;
      };
      await until("every part has its event", allRecorded, 60_000);
      const tooMuch = aReversal(amount - reports.length * PART + 0.01);
      expect((await report(stack, tooMuch)).status).toBe("quarantined");
      await proveShown(api, { amount, parts: reports.length });
      proveEvents(merchant, reports.length);
    },
  };
}

const report = (stack: Stack, reversal: object) =>
  until("the reversal is answered with 200", () =>
    reportTransfer(stack.bankDoor, reversal).then(
      ({ status, body }) => status === 200 && body,
      () => false as const,
    ),
  );

async function proveShown(api: Client, { amount, parts }: { amount: number; parts: number }): Promise<void> {
  const { body } = await api.get("/balance");
  expect(body).toMatchObject({ collected: (amount - parts * PART) * 0.99, settled: 0 });
  const { body: list } = await api.get("/collections?limit=1");
  expect(list).toMatchObject({ data: [{ amount, amount_reversed: parts * PART }] });
}

function proveEvents(merchant: TestMerchant, parts: number): void {
  const events = merchant
    .received("live")
    .flatMap(({ body }) => (body.event === "collection.reversed" ? [CollectionReversed.parse(body).data] : []));
  const sent = new Map(events.map(({ reference, amount_reversed }) => [reference, Number(amount_reversed) / 100]));
  const expected = Array.from({ length: parts }, (_, n) => (n + 1) * PART);
  expect([...sent.values()].toSorted((one, other) => one - other)).toEqual(expected);
  proveNumbers(merchant);
}
