import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { loadConfig } from "@collect/runtime";
import { expect, onTestFinished, test } from "vitest";
import { Config } from "../config.ts";
import { createPartners } from "./partners.ts";

const BASE = {
  DATABASE_URL: "postgresql://127.0.0.1/accounts",
  NATS_URL: "nats://127.0.0.1",
  NATS_NKEY_SEED: `SU${"A".repeat(56)}`,
  FACT_KEY: `k1:${"0".repeat(64)}`,
  INTAKE_KEY: "k".repeat(32),
};
const LOCAL = {
  ...{ BANK_URL: "https://bank.example", BANK_API_SECRET: "secret of the interface", BANK_CODE: "729" },
  ...{ BANK_NAME: "Harbour Bank", BANK_DOOR_SECRET: "secret of the door" },
};
const PROVIDUS = {
  ...{
    PROVIDUS_URL: "https://providus.example",
    PROVIDUS_CLIENT_ID: "client",
    PROVIDUS_CLIENT_SECRET: "not a secret,former not secret",
  },
};
const MONNIFY = {
  ...{
    MONNIFY_URL: "https://monnify.example",
    MONNIFY_API_KEY: "key",
    MONNIFY_SECRET_KEY: "new not secret at all,former not secret",
  },
  ...{ MONNIFY_CONTRACT_CODE: "1", MONNIFY_BUSINESS_BVN: "22222222222" },
};
const created = (environment: Record<string, string>) =>
  createPartners(loadConfig(Config, { ...BASE, ...environment }), async () => new Date());

test.each([
  [["729"], "729", { ...LOCAL }],
  [["729", "providus", "monnify"], "729", { ...LOCAL, ...PROVIDUS, ...MONNIFY }],
  [["729", "providus", "monnify"], "monnify", { ...LOCAL, ...PROVIDUS, ...MONNIFY, BANK_PARTNER: "monnify" }],
  [["providus"], "providus", { ...PROVIDUS, BANK_PARTNER: "providus" }],
])("the environment of %j has the default %s", (ids, standard, environment) => {
  const partners = created(environment);
  expect(partners.all.map(({ id }) => id)).toEqual(ids);
  expect(partners.standard.id).toBe(standard);
  const paths = partners.all.map(({ notifications }) => notifications.path);
  expect(new Set(paths).size).toBe(ids.length);
});

test.each(Object.keys({ ...LOCAL, ...PROVIDUS, ...MONNIFY }))("a partner without %s does not start", (missing) => {
  const environment: Record<string, string> = { ...LOCAL, ...PROVIDUS, ...MONNIFY };
  delete environment[missing];
  expect(() => created(environment)).toThrow(new RegExp(`${missing}: is missing: .* complete or absent`));
});

test("a system without any partner, or with a default that is not there, does not start", () => {
  expect(() => created({})).toThrow("at least one partner has to be configured");
  expect(() => created(PROVIDUS)).toThrow("BANK_PARTNER has to be the id of a partner that is configured: providus");
  expect(() => created({ ...LOCAL, BANK_PARTNER: "providus" })).toThrow("BANK_PARTNER");
  expect(() => created({ ...LOCAL, POOL_LOW: "5", POOL_HIGH: "4" })).toThrow("POOL_HIGH must not be below POOL_LOW");
});

test("only a partner that needs the number of a person gets that of the business", () => {
  const { all } = created({ ...LOCAL, ...PROVIDUS, ...MONNIFY });
  const identities = all.map(({ issuer: { needs }, businessIdentity }) => [needs.length > 0, businessIdentity]);
  expect(identities).toEqual([
    [false, undefined],
    [false, undefined],
    [true, { bvn: "22222222222" }],
  ]);
});

test.each([
  ["MERCHANT(Ngozi Eze)", { PROVIDUS_BUSINESS_NAME: "MERCHANT" }],
  ["Ngozi Eze", {}],
])("the name of a renamed account is known as payers see it: %s", async (shown, environment) => {
  const bank = createServer((_request, response) => {
    response.end(JSON.stringify({ requestSuccessful: true, responseCode: "00" }));
  }).listen(0, "127.0.0.1");
  await once(bank, "listening");
  onTestFinished(() => void bank.close());
  const PROVIDUS_URL = `http://127.0.0.1:${(bank.address() as AddressInfo).port}`;
  const { standard } = created({ ...PROVIDUS, ...environment, PROVIDUS_URL, BANK_PARTNER: "providus" });
  if (standard.issuer.kind !== "from_pool") throw new Error("its accounts come from a pool");
  const account = { accountNumber: "9977581536", accountName: "Ngozi Eze" };
  expect(await standard.issuer.renameAccount(account)).toBe(shown);
});
