import { expect, test } from "vitest";
import { chargesBy } from "./charges.ts";

const isCharge = chargesBy(["SMS ALERT", "VAT", "Stamp Duty", "Maintenance Fee"]);
const line = (narration: string, given: object = {}) => ({
  ...{ amount: -5_000n, references: [], sessionId: null, narration },
  ...given,
});

test.each([
  "SMS ALERT OCT 2026",
  "VAT ON TRANSFER",
  "NIP/VAT/7.5",
  "sms-alert charge",
  "STAMP  DUTY",
  "ACCOUNT MAINTENANCE FEE",
])("%s is a charge of the bank", (narration) => {
  expect(isCharge(line(narration))).toBe(true);
  expect(isCharge(line(narration, { references: ["FT26100212345"] }))).toBe(true);
  expect(isCharge(line(narration, { amount: 5_000n }))).toBe(false);
});

test.each(["REV PRIVATE SCHOOL", "VAT2026", "ESTATE MAINTENANCE FEES", "SMS", "ALERT SMS", ""])(
  "%s has no whole charge word",
  (narration) => {
    expect(isCharge(line(narration))).toBe(false);
  },
);

test.each([{ sessionId: "000014000013261005093000123456" }, { references: ["FT1", "trf_01h2xcejqtf2nbrexx3v"] }])(
  "what names a session or a payout of ours is a charge up to ₦100, and no charge above, whatever a person wrote",
  (named) => {
    expect(isCharge(line("VAT OF OCTOBER", { ...named, amount: -10_000n }))).toBe(true);
    expect(isCharge(line("VAT OF OCTOBER", { ...named, amount: -10_001n }))).toBe(false);
  },
);

test("words of signs alone name nothing", () => {
  expect(chargesBy(["***"])(line("PAYMENT *** 12"))).toBe(false);
  expect(chargesBy([])(line("PAYMENT"))).toBe(false);
});
