import { expect, test } from "vitest";
import { runChaos } from "../chaos/run.ts";

/** A minute of `npm run chaos` with the faults that need no special rights, at the same times in every run. */
test("a minute of kills, stops, lost brokers, silent connections, locks and wrong clocks loses, duplicates and renumbers nothing", async () => {
  const { violations } = await runChaos({
    seed: 559,
    seconds: 50,
    kinds: ["kill", "stop", "broker-wipe", "database-kill", "silent-database", "half-open-broker", "lock", "clock"],
    replicas: 2,
    rate: 50,
    burst: 500,
    gapMs: 3_000,
    settleWithinMs: 150_000,
    say: () => {},
  });
  expect(violations).toEqual([]);
}, 360_000);
