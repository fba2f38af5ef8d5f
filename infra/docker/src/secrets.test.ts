import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { createSeed, forEachUser, publicKeyOf } from "@collect/bus";
import { expect, onTestFinished, test } from "vitest";
import { completeSecrets, moveToEnv, readSecrets, type Secrets, secretsIn, writeSecrets } from "./secrets.ts";
import { usersOf, writeUsers } from "./users.ts";

const ROOT = join(import.meta.dirname, "../../..");
const COMPOSE = readFileSync(join(ROOT, "docker-compose.yml"), "utf8");
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

test("back to a release that has them in .env they move there as they are, and forward again to the same files", () => {
  const directory = join(aDirectory(), "secrets");
  const file = join(directory, "../.env");
  const { secrets: made } = aNew();
  const secrets = { ...made, SMTP_URL: 'smtps://a:p$w#"o@mail', LEDGER_NKEY_SEED_NEXT: "kept" };
  readSecrets(directory);
  writeSecrets(directory, secrets);
  writeFileSync(file, "# ours\nBANK_CODE=044\nFACT_KEY=older\n");
  expect(moveToEnv(directory, file).toSorted()).toEqual(Object.keys(secrets).toSorted());
  const environment = parseEnv(readFileSync(file, "utf8"));
  expect(environment).toEqual({ ...secrets, BANK_CODE: "044" });
  expect([statSync(file).mode & 0o777, existsSync(directory)]).toEqual([0o600, false]);
  expect(again(readSecrets(directory), environment)).toEqual({
    secrets: { ...made, SMTP_URL: secrets.SMTP_URL },
    added: [],
    moved: required,
  });
});

test("a secret that a line of .env cannot have stays in its file, and so do all others", () => {
  const directory = join(aDirectory(), "secrets");
  const file = join(directory, "../.env");
  const secrets = { FACT_KEY: "k1:1", BANK_API_SECRET: `it's "so"` };
  readSecrets(directory);
  writeSecrets(directory, secrets);
  writeFileSync(file, "BANK_CODE=044\n");
  expect(() => moveToEnv(directory, file)).toThrow("BANK_API_SECRET has a quotation mark");
  expect([readSecrets(directory), readFileSync(file, "utf8")]).toEqual([secrets, "BANK_CODE=044\n"]);
  // Behind it Compose would not see the end of the value.
  writeSecrets(directory, { BANK_API_SECRET: "its\\" });
  expect(() => moveToEnv(directory, file)).toThrow("or a backslash at its end");
});

test("the files are read as they were written; only the owner can enter their directory, and a container's user can read them", () => {
  withUmask(0o077);
  const directory = join(aDirectory(), "secrets");
  expect(readSecrets(directory)).toEqual({});
  const { secrets } = aNew();
  for (const each of [secrets, secrets]) writeSecrets(directory, each);
  expect(readSecrets(directory)).toEqual(secrets);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(directory)) expect(statSync(join(directory, name)).mode & 0o777).toBe(0o444);
});

test("the broker's container can read its users whatever the umask is, and whatever the file's mode was", () => {
  withUmask(0o077);
  const { root, users, seeds } = aDeployment();
  writeFileSync(join(root, users), "former", { mode: 0o600 });
  expect(writeUsers(root)).toEqual([users]);
  expect([readFileSync(join(root, users), "utf8"), statSync(join(root, users)).mode & 0o777]).toEqual([
    usersOf(seeds),
    0o644,
  ]);
});

test("the broker's users are written from the secrets alone, where there is no .env; one adds operators", () => {
  const { root, users } = aDeployment();
  writeUsers(root);
  expect(readFileSync(join(root, users), "utf8")).not.toContain("operator-ada");
  writeFileSync(join(root, ".env"), `NATS_OPERATORS=operator-ada:${publicKeyOf(createSeed())}\n`);
  writeUsers(root);
  expect(readFileSync(join(root, users), "utf8")).toContain("operator-ada");
});

test("while a service's key is rotated the broker knows that of a replica that runs, and that of one that starts", () => {
  const { root, directory, users, seeds } = aDeployment();
  expect(secretsIn(COMPOSE)).not.toContain("LEDGER_NKEY_SEED_NEXT");
  /** What docker-compose.yml mounts: a replica that starts reads it. */
  const mounted = () => readSecrets(directory).LEDGER_NKEY_SEED ?? "";
  const isKnown = (seed: string) => readFileSync(join(root, users), "utf8").includes(publicKeyOf(seed));
  const [former, next] = [mounted(), createSeed()];
  expect(former).toBe(seeds.LEDGER_NKEY_SEED);

  copyFileSync(join(directory, "ledger_nkey_seed"), join(directory, "ledger_nkey_seed_next"));
  writeSecrets(directory, { LEDGER_NKEY_SEED: next });
  writeUsers(root);
  expect([mounted(), isKnown(former), isKnown(next)]).toEqual([next, true, true]);

  rmSync(join(directory, "ledger_nkey_seed_next"));
  writeUsers(root);
  expect([mounted(), isKnown(former), isKnown(next)]).toEqual([next, false, true]);
});

test("write-env.ts writes nothing if a secret in .env can be read in two ways, and moves it once it is in single quotes", () => {
  const { root, directory, users, writeEnv } = aTree();
  const file = join(root, ".env");
  writeFileSync(file, "BANK_CODE=044\nBANK_API_SECRET=abc#def\n");
  expect(writeEnv()).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("BANK_API_SECRET can be read in two ways"),
  });
  expect(readFileSync(file, "utf8")).toBe("BANK_CODE=044\nBANK_API_SECRET=abc#def\n");
  expect([existsSync(directory), existsSync(join(root, users))]).toEqual([false, false]);

  writeFileSync(file, "BANK_CODE=044\nBANK_API_SECRET='abc#def'\n");
  expect(writeEnv()).toMatchObject({ status: 0, stderr: "" });
  expect(readSecrets(directory).BANK_API_SECRET).toBe("abc#def");
  expect(Object.keys(parseEnv(readFileSync(file, "utf8")))).toEqual(["BANK_CODE", "OPERATORS"]);
});

/** Where a broker is served from the secrets: the seed of each of its users, and no `.env`. */
function aDeployment() {
  const root = aDirectory();
  const [directory, users] = [join(root, "infra/docker/secrets"), "infra/nats/users.conf"];
  const seeds = Object.fromEntries(
    Object.entries(forEachUser(() => createSeed())).map(([user, seed]) => [`${user.toUpperCase()}_NKEY_SEED`, seed]),
  );
  mkdirSync(join(root, "infra/nats"), { recursive: true });
  readSecrets(directory);
  writeSecrets(directory, seeds);
  return { root, directory, users, seeds };
}

/** A tree of its own with the commands of this folder. */
function aTree() {
  const root = aDirectory();
  const own = join(root, "infra/docker");
  mkdirSync(join(root, "infra/nats"), { recursive: true });
  writeFileSync(join(root, "docker-compose.yml"), COMPOSE);
  for (const name of ["src", "package.json"])
    cpSync(join(ROOT, "infra/docker", name), join(own, name), { recursive: true });
  symlinkSync(join(ROOT, "infra/docker/node_modules"), join(own, "node_modules"));
  const writeEnv = () => spawnSync(process.execPath, [join(own, "src/write-env.ts")], { encoding: "utf8" });
  return { root, directory: join(own, "secrets"), users: "infra/nats/users.conf", writeEnv };
}

function withUmask(mask: number): void {
  const before = process.umask(mask);
  onTestFinished(() => void process.umask(before));
}

function aDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "collect-secrets-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}
