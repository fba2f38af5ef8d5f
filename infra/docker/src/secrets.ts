import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withVariables } from "./env-file.ts";
import { newSecret } from "./new-secret.ts";

/** The secrets of a deployment by the names of their settings, `LEDGER_PASSWORD`: a file each, `secrets/ledger_password`. */
export type Secrets = Record<string, string>;

/** The names of the secrets that docker-compose.yml mounts. */
export const secretsIn = (compose: string): string[] =>
  [...compose.matchAll(/file: infra\/docker\/secrets\/(\w+)/g)].map(([, name = ""]) => name.toUpperCase());

/** Those that are there; an empty file is one too. */
export function readSecrets(directory: string): Secrets {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const names = readdirSync(directory).filter((name) => !name.endsWith(".new"));
  return Object.fromEntries(
    names.map((name) => [name.toUpperCase(), readFileSync(join(directory, name), "utf8").trim()]),
  );
}

/**
 * Every secret that is required: as it is, as `.env` of a former release has it, or a new random value. None that is there is
 * changed, because the data belong to it. `isNew` is a deployment that has no data.
 */
export function completeSecrets(
  present: Secrets,
  { required, environment, isNew }: { required: string[]; environment: NodeJS.Dict<string>; isNew: boolean },
): { secrets: Secrets; added: string[]; moved: string[] } {
  const moved = required.filter((name) => environment[name]);
  const differing = moved.filter((name) => present[name] !== undefined && present[name] !== environment[name]);
  if (differing.length > 0)
    throw new Error(
      `.env has another ${differing.join(" and ")} than infra/docker/secrets: delete the line, or the file`,
    );
  const added = required.filter((name) => present[name] === undefined && !environment[name]);
  if (!isNew) refuseLost(added);
  const made = added.map((name) => [name, newSecret(name)]);
  const taken = moved.map((name) => [name, environment[name]]);
  return { secrets: { ...present, ...Object.fromEntries([...taken, ...made]) }, added, moved };
}

/**
 * A process of any user of a container can read its own; the directory keeps the users of this machine from them.
 */
export function writeSecrets(directory: string, secrets: Secrets): void {
  for (const [name, value] of Object.entries(secrets)) replaceFile(join(directory, name.toLowerCase()), value, 0o444);
}

/**
 * The way back: moves all secrets into `.env`, where a release without these files reads them. The files are removed last, so
 * that none is lost if this is interrupted; such a release would also copy them into its images. Returns the names.
 */
export function moveToEnv(directory: string, file: string): string[] {
  const secrets = readSecrets(directory);
  replaceFile(file, withVariables(readFileSync(file, "utf8"), secrets), 0o600);
  rmSync(directory, { recursive: true });
  return Object.keys(secrets);
}

/** In one step: if this is interrupted, the former text is there. The mode is the file's whatever the umask is. */
export function replaceFile(file: string, text: string, mode: number): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  chmodSync(`${file}.new`, mode);
  renameSync(`${file}.new`, file);
}

/**
 * What data belong to, and how to make the first value of one. Ids derive from the first two, so that a transfer would be
 * credited or paid twice; the volume's cluster has the third; stored secrets are encrypted under the others.
 */
const IRREPLACEABLE: Record<string, string> = {
  INTAKE_KEY: "the output of openssl rand -hex 32",
  TRANSFER_KEY: "the output of openssl rand -hex 32",
  POSTGRES_PASSWORD: "the output of openssl rand -hex 32",
  WEBHOOKS_KEYRING: "k1: and the output of openssl rand -base64 32",
  DASHBOARD_KEYRING: "k1: and the output of openssl rand -base64 32",
};

function refuseLost(missing: string[]): void {
  const lost = missing.filter((name) => IRREPLACEABLE[name]);
  if (lost.length === 0) return;
  const files = lost.map((name) => `${name.toLowerCase()} with ${IRREPLACEABLE[name]}`).join(", ");
  throw new Error(
    `infra/docker/secrets lacks ${lost.join(" and ").toLowerCase()}, which this deployment's data belong to: put the former value back. If it never had one, write a file ${files}`,
  );
}
