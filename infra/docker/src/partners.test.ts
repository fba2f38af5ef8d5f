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
const SECRET = "secret-of-the-partner";

/** The settings that the README says to add for a simulated partner, and the secrets that it says to make. */
const BLOCKS = read("infra/docker/README.md").matchAll(/```sh\n([^`]+)<<'SETTINGS'\n([^`]+)\nSETTINGS\n/g);
const PARTNERS = Object.fromEntries(
  [...BLOCKS].map(([, commands = "", settings = ""]) => {
    const made = commands.matchAll(/^(?:echo (\d+)|openssl rand -hex 32) \| .*infra\/docker\/secrets\/(\w+)$/gm);
    const secrets = [...made].map(([, given = SECRET, name = ""]) => [name.toUpperCase(), given]);
    const given = parseEnv(settings);
    return [given.BANK_PARTNER ?? "", { ...given, ...Object.fromEntries(secrets) }];
  }),
);

test("the README has the settings of both partners", () => {
  expect(Object.keys(PARTNERS)).toEqual(["providus", "monnify"]);
});

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

test.each(["accounts", "payments"] as const)("%s starts without a bank of our own protocol", async (name) => {
  const { Config } = await import(join(ROOT, FOLDERS[name], "src/config.ts"));
  const none = { BANK_URL: "", BANK_CODE: "", BANK_NAME: "", BANK_API_SECRET: "", BANK_DOOR_SECRET: "" };
  const given = filledIn(compose.services[name].environment, { ...PARTNERS.providus, ...none });
  const config = loadConfig(Config, { ...given, NODE_ENV: "production" });
  expect(config).toMatchObject({ BANK_PARTNER: "providus" });
  for (const setting of Object.keys(none)) expect(config).not.toHaveProperty(setting);
});

test("payments starts in production only if no call to the bank can be in progress when operators may end a payout", async () => {
  vi.stubEnv("NODE_ENV", "production");
  onTestFinished(() => void vi.unstubAllEnvs());
  const { Config } = await import(join(ROOT, FOLDERS.payments, "src/config.ts"));
  const start = (TRANSFER_UNKNOWN_AFTER_S: string) =>
    loadConfig(Config, { ...filledIn(compose.services.payments.environment), TRANSFER_UNKNOWN_AFTER_S });
  expect(() => start("69")).not.toThrow();
  expect(() => start("68")).toThrow("TRANSFER_UNKNOWN_AFTER_S must be longer");
});
