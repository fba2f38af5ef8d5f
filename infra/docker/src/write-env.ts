import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { completeEnv } from "./env-file.ts";
import { writeUsers } from "./users.ts";

/**
 * node infra/docker/src/write-env.ts [ada:U… bola:U…]: completes `.env` with a random value for every secret that
 * docker-compose.yml requires and with the operators that are named, and writes the broker's users. It can be run again.
 */
const root = join(import.meta.dirname, "../../..");
const file = join(root, ".env");
const compose = readFileSync(join(root, "docker-compose.yml"), "utf8");
const required = new Set([...compose.matchAll(/\$\{(\w+):\?/g)].map(([, name = ""]) => name));
const ONE_OPERATOR =
  "! OPERATORS names one operator. With four eyes, on unless FOUR_EYES=false, verifying a merchant takes two: run this again with the others, such as ada:U… (make-nkey.ts makes a person's key)";

try {
  const before = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  const { text, added, operators } = completeEnv(before, { required: [...required], operators: process.argv.slice(2) });
  // In one step: if it is interrupted, no secret is lost.
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  writeUsers(root);
  console.log(
    `✓ .env: added ${[...added.settings, ...added.operators.map((name) => `operator ${name}`)].join(", ") || "nothing"}`,
  );
  console.log("✓ infra/nats/users.conf: the broker's users");
  if (operators.length < 2) console.log(ONE_OPERATOR);
} catch (error) {
  console.error(`✗ ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
