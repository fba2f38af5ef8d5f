import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { completeEnv, readSettings } from "./env-file.ts";
import { completeSecrets, moveToEnv, readSecrets, replaceFile, secretsIn, writeSecrets } from "./secrets.ts";
import { writeUsers } from "./users.ts";

/**
 * node infra/docker/src/write-env.ts [ada:U… bola:U…]: makes a file in infra/docker/secrets for every secret of
 * docker-compose.yml, adds the operators that are named to `.env`, and writes the broker's users. It can be run again. Secrets
 * that a former release had in `.env` move to their files. `--variables` moves them back, for a return to that release.
 */
const root = join(import.meta.dirname, "../../..");
const [file, directory] = [join(root, ".env"), join(root, "infra/docker/secrets")];
const ONE_OPERATOR =
  "! OPERATORS names one operator. With four eyes, on unless FOUR_EYES=false, verifying a merchant takes two: run this again with the others, such as ada:U… (make-nkey.ts makes a person's key)";

try {
  if (process.argv[2] === "--variables") variables();
  else complete(process.argv.slice(2));
} catch (error) {
  console.error(`✗ ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}

function complete(operators: string[]): void {
  const required = secretsIn(readFileSync(join(root, "docker-compose.yml"), "utf8"));
  const before = existsSync(file) ? readFileSync(file, "utf8") : "";
  const [environment, present] = [readSettings(before, required), readSecrets(directory)];
  const isNew = Object.keys(present).length === 0 && !environment.POSTGRES_PASSWORD;
  const { secrets, added, moved } = completeSecrets(present, { required, environment, isNew });
  const { OPERATOR_NKEY_SEED: operatorSeed = "" } = secrets;
  const env = completeEnv(before, { operators, operatorSeed, secrets: required });
  writeSecrets(directory, secrets);
  replaceFile(file, env.text, 0o600);
  writeUsers(root);
  console.log(`✓ infra/docker/secrets: made ${list(added)}; moved from .env ${list(moved)}`);
  console.log(`✓ .env: added ${list(env.added.map((name) => `operator ${name}`))}`);
  console.log("✓ infra/nats/users.conf: the broker's users");
  if (env.operators.length < 2) console.log(ONE_OPERATOR);
}

function variables(): void {
  console.log(`✓ .env: moved from infra/docker/secrets, which is gone, ${list(moveToEnv(directory, file))}`);
}

function list(names: string[]): string {
  return names.join(", ") || "nothing";
}
