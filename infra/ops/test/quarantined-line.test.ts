import { expect, test } from "vitest";
import { quarantinedLine } from "../src/commands/transfers.ts";

const ROW = {
  ...{ bank_transfer_id: "bt_1", bank: "058", mode: "live" as const, reason: "currency USD" },
  received_at: new Date(Date.now() - 3 * 86_400_000).toISOString(),
};

test("a line about quarantined money has its amount, whose it is, how old it is and how often it was reported", () => {
  const known = { account_number: "1234567890", amount_kobo: "125000050", currency: "USD", times: 3 };
  const owned = { ...ROW, ...known, merchant_id: "mer_1", customer_reference: "c1" };
  expect(quarantinedLine(owned)).toBe(
    `quarantined  bt_1 of 058 (live) USD 1,250,000.50 into 1234567890 of mer_1's customer c1 ${ROW.received_at}, 3 days ago, 3 times: currency USD`,
  );
  expect(quarantinedLine({ ...owned, merchant_id: null, customer_reference: null, times: 1 })).toBe(
    `quarantined  bt_1 of 058 (live) USD 1,250,000.50 into 1234567890 ${ROW.received_at}, 3 days ago: currency USD`,
  );
});

test("what an earlier release lists has no amount", () => {
  expect(quarantinedLine(ROW)).toBe(`quarantined  bt_1 of 058 (live) ${ROW.received_at}, 3 days ago: currency USD`);
});
