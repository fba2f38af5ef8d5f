import { loadConfig } from "@collect/runtime";
import { expect, test } from "vitest";
import { Config } from "../../config.ts";
import { createPayoutPartners } from "./payout-partners.ts";

const KEY = `k1:${"0".repeat(64)}`;
const BASE = {
  DATABASE_URL: "postgresql://127.0.0.1/payments",
  NATS_URL: "nats://127.0.0.1",
  NATS_NKEY_SEED: `SU${"A".repeat(56)}`,
  ...{ PAYOUT_KEY: KEY, ORDER_KEY: KEY },
  CHECKOUT_URL: "http://127.0.0.1",
  TRANSFER_KEY: "k".repeat(32),
};
const LOCAL = {
  ...{ BANK_URL: "https://bank.example", BANK_API_SECRET: "secret of the interface", BANK_CODE: "729" },
  BANK_NAME: "Harbour Bank",
};
const PROVIDUS = {
  ...{ PROVIDUS_PAYOUTS_URL: "https://providus.example/postingrest", PROVIDUS_PAYOUTS_USER: "user" },
  ...{ PROVIDUS_PAYOUTS_SECRET: "not a secret", PROVIDUS_SOURCE_ACCOUNT_NUMBER: "9000000001" },
  PROVIDUS_SOURCE_ACCOUNT_NAME: "Collect Ltd",
};
const MONNIFY = {
  ...{ MONNIFY_URL: "https://monnify.example", MONNIFY_API_KEY: "key", MONNIFY_SECRET_KEY: "not a secret at all" },
  MONNIFY_SOURCE_ACCOUNT_NUMBER: "8000000001",
};
const created = (environment: Record<string, string>) =>
  createPayoutPartners(loadConfig(Config, { ...BASE, ...environment }), async () => new Date());

test.each([
  ["the bank of our own protocol", "729", LOCAL],
  ["the default partner", "providus", { ...LOCAL, ...PROVIDUS, ...MONNIFY, BANK_PARTNER: "providus" }],
  ["the default partner without any other", "monnify", { ...MONNIFY, BANK_PARTNER: "monnify" }],
])("payouts are sent by %s", (_case, standard, environment) => {
  expect(created(environment).standard.id).toBe(standard);
});

test("a partner that sends no more is still asked about what it was sent", () => {
  expect(created({ ...LOCAL, ...PROVIDUS, ...MONNIFY }).all.map(({ id }) => id)).toEqual([
    "729",
    "providus",
    "monnify",
  ]);
});

test.each(Object.keys({ ...LOCAL, ...PROVIDUS, ...MONNIFY }))("a partner without %s does not start", (missing) => {
  const environment: Record<string, string> = { ...LOCAL, ...PROVIDUS, ...MONNIFY };
  delete environment[missing];
  expect(() => created(environment)).toThrow(new RegExp(`${missing}: is missing: .* complete or absent`));
});

test("a system in which no partner pays out does not start", () => {
  expect(() => created({})).toThrow("at least one partner has to be configured");
});

test.each([
  ["that is misspelt", "providuss", { ...LOCAL, ...PROVIDUS }, "729, providus"],
  ["that pays out nothing here", "providus", LOCAL, "729"],
  ["that is not chosen", undefined, { ...PROVIDUS, ...MONNIFY }, "providus, monnify"],
])("a partner %s does not start, and no other one pays out instead", (_case, BANK_PARTNER, environment, ids) => {
  expect(() => created({ ...environment, ...(BANK_PARTNER && { BANK_PARTNER }) })).toThrow(
    `BANK_PARTNER has to be the id of a partner that is configured: ${ids}`,
  );
});
