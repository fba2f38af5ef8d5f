import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * node infra/docker/src/write-env.ts: writes `.env` with a random value for every secret that docker-compose.yml
 * requires.
 */
const root = join(import.meta.dirname, "../../..");
const file = join(root, ".env");
if (existsSync(file)) {
  console.error("✗ .env already exists and is unchanged, because its secrets belong to the data in the volumes");
  process.exit(1);
}
const compose = readFileSync(join(root, "docker-compose.yml"), "utf8");
const required = new Set([...compose.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name));
writeFileSync(file, [...required].map((name) => `${name}=${randomBytes(32).toString("hex")}\n`).join(""), {
  mode: 0o600,
});
console.log(`✓ .env has ${required.size} secrets: docker compose up --build`);
