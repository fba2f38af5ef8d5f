import { expect, test } from "vitest";
import { runChaos } from "../chaos/run.ts";

/** A minute of `npm run chaos`, with what every machine allows: the same faults at the same moments each time. */
test("a minute of kills, stops, lost brokers, silent connections, locks and wrong clocks loses, doubles and renumbers nothing", async () => {
  const { violations } = await runChaos({
    seed: 559,
    seconds: 50,
    kinds: ["kill", "stop", "broker-wipe", "database-kill", "silent-database", "half-open-broker", "lock", "clock"],
    rate: 50,
    burst: 500,
    gapMs: 3_000,
    settleWithinMs: 150_000,
    say: () => {},
  });
  expect(violations).toEqual([]);
}, 360_000);
