import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publicKeyOf } from "@collect/bus";
import { expect, onTestFinished, test } from "vitest";
import { completeSecrets, readSecrets, type Secrets, writeSecrets } from "./secrets.ts";

const keyrings = ["WEBHOOKS_KEYRING", "DASHBOARD_KEYRING"];
const required = ["POSTGRES_PASSWORD", "INTAKE_KEY", "LEDGER_NKEY_SEED", "FACT_KEY", "SMTP_URL", ...keyrings];
const aNew = () => completeSecrets({}, { required, environment: {}, isNew: true });
const again = (present: Secrets, environment: NodeJS.Dict<string> = {}) =>
  completeSecrets(present, { required, environment, isNew: false });

function without(secrets: Secrets, ...names: string[]): Secrets {
  return Object.fromEntries(Object.entries(secrets).filter(([name]) => !names.includes(name)));
}

test("a new deployment gets every secret, each in its format", () => {
  const { secrets, added, moved } = aNew();
  expect([added, moved]).toEqual([required, []]);
  expect(secrets.FACT_KEY).toMatch(/^k1:[0-9a-f]{64}$/);
  expect(publicKeyOf(secrets.LEDGER_NKEY_SEED ?? "")).toMatch(/^U/);
  // Another party's: there is none to make.
  expect(secrets.SMTP_URL).toBe("");
});

test("repeated it changes nothing, and what another release needs is added", () => {
  const { secrets } = aNew();
  expect(again(secrets)).toEqual({ secrets, added: [], moved: [] });
  expect(again({ ...without(secrets, "FACT_KEY"), LEDGER_NKEY_SEED_NEXT: "kept" })).toMatchObject({
    added: ["FACT_KEY"],
    secrets: { ...without(secrets, "FACT_KEY"), LEDGER_NKEY_SEED_NEXT: "kept" },
  });
});

test("the secrets of a former release move out of .env as they are, and two that differ are refused", () => {
  const environment: Secrets = { ...without(aNew().secrets, "SMTP_URL"), BANK_CODE: "044" };
  const { secrets, added, moved } = again({}, environment);
  expect(secrets).toEqual({ ...without(environment, "BANK_CODE"), SMTP_URL: "" });
  expect([added, moved]).toEqual([["SMTP_URL"], required.filter((name) => name !== "SMTP_URL")]);
  // As after an interruption: some have files already.
  expect(again({ FACT_KEY: environment.FACT_KEY ?? "" }, environment).secrets).toEqual(secrets);
  expect(() => again({ FACT_KEY: "another" }, environment)).toThrow(".env has another FACT_KEY");
});

test("a key that must never change is not made anew beside data that belong to it", () => {
  const { secrets } = aNew();
  expect(() => again(without(secrets, "INTAKE_KEY"))).toThrow(
    "infra/docker/secrets lacks intake_key, which this deployment's data belong to: put the former value back. If it never had one, write a file intake_key with the output of openssl rand -hex 32",
  );
  expect(() => again(without(secrets, "POSTGRES_PASSWORD"))).toThrow("lacks postgres_password");
  for (const name of keyrings)
    expect(() => again(without(secrets, name))).toThrow(
      `${name.toLowerCase()} with k1: and the output of openssl rand -base64 32`,
    );
  expect(() => again(without(secrets, ...keyrings))).toThrow("lacks webhooks_keyring and dashboard_keyring, which");
});

test("the files are read as they were written; only the owner can enter their directory, and a container's user can read them", () => {
  const parent = mkdtempSync(join(tmpdir(), "collect-secrets-"));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  const directory = join(parent, "secrets");
  expect(readSecrets(directory)).toEqual({});
  const { secrets } = aNew();
  for (const each of [secrets, secrets]) writeSecrets(directory, each);
  expect(readSecrets(directory)).toEqual(secrets);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(directory)) expect(statSync(join(directory, name)).mode & 0o777).toBe(0o444);
});
