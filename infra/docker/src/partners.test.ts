import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { loadConfig } from "@collect/runtime";
import { expect, onTestFinished, test, vi } from "vitest";
import { parse } from "yaml";
import { filledIn } from "./filled-in.ts";

const ROOT = join(import.meta.dirname, "../../..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const compose = parse(read("docker-compose.yml"), { merge: true });
const FOLDERS = {
  accounts: "services/accounts",
  payments: "services/payments",
  "bank-simulator": "infra/bank-simulator",
};

/** What the README says to add for a simulated Providus, and the same for Monnify: settings, and secrets that a partner gives. */
const PARTNERS = {
  providus: {
    ...parseEnv(read("infra/docker/README.md").split("SETTINGS")[1] ?? ""),
    ...{ PROVIDUS_CLIENT_SECRET: "secret-of-the-client", PROVIDUS_PAYOUTS_SECRET: "secret-of-the-payouts" },
  },
  monnify: {
    ...{ BANK_PARTNER: "monnify", MONNIFY_URL: "https://api.monnify.com", MONNIFY_CONTRACT_CODE: "7059707855" },
    ...{ MONNIFY_API_KEY: "MK_PROD_1", MONNIFY_SECRET_KEY: "secret-of-monnify", MONNIFY_BUSINESS_BVN: "22200000001" },
    MONNIFY_SOURCE_ACCOUNT_NUMBER: "3934178936",
  },
};

test.each(Object.entries(PARTNERS))(
  "%s is a partner once its settings are there, and not with a part of them",
  async (partner, env) => {
    for (const [name, folder] of Object.entries(FOLDERS)) {
      const { environment } = compose.services[name];
      const { Config } = await import(join(ROOT, folder, "src/config.ts"));
      const configOf = (given: NodeJS.Dict<string>) =>
        loadConfig(Config, { ...filledIn(environment, given), NODE_ENV: "production" });
      const secret = Object.keys(env).find((each) => `${each}_FILE` in environment) ?? "";
      expect(configOf(env)).toMatchObject({ [secret]: expect.anything() });
      if (name === "bank-simulator") continue;
      expect(configOf(env)).toMatchObject({ BANK_PARTNER: partner });
      expect(() => configOf({ ...env, [secret]: "" })).toThrow(`${secret}: is missing`);
    }
  },
);

test("payments starts in production only if no call to the bank can be in progress when operators may end a payout", async () => {
  vi.stubEnv("NODE_ENV", "production");
  onTestFinished(() => void vi.unstubAllEnvs());
  const { Config } = await import(join(ROOT, FOLDERS.payments, "src/config.ts"));
  const start = (TRANSFER_UNKNOWN_AFTER_S: string) =>
    loadConfig(Config, { ...filledIn(compose.services.payments.environment), TRANSFER_UNKNOWN_AFTER_S });
  expect(() => start("69")).not.toThrow();
  expect(() => start("68")).toThrow("TRANSFER_UNKNOWN_AFTER_S must be longer");
});
