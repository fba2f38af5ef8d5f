import { createPool } from "@collect/database";
import { createLogger } from "@collect/runtime";
import { matchAccount } from "@collect/statements/src/use-cases/match-account.ts";

/** Matches what is open in an account, and prints how long it took and its largest resident size. */
const [url = "", account = ""] = process.argv.slice(2);
const pool = createPool({ url, service: "bench", log: createLogger("bench", "silent") });
const start = performance.now();
await matchAccount(pool, account);
const seconds = (performance.now() - start) / 1_000;
console.log(JSON.stringify({ seconds, maxMb: process.resourceUsage().maxRSS / 1_024 }));
await pool.end();
