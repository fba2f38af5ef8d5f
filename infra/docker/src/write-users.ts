import { join } from "node:path";
import { writeUsers } from "./users.ts";

/** node infra/docker/src/write-users.ts: writes infra/nats/users.conf from `.env` again, after a key or the contracts changed. */
const written = writeUsers(join(import.meta.dirname, "../../..")).join(", ");
console.log(`✓ written: ${written}. The broker reads it on SIGHUP (docker compose kill -s HUP nats)`);
