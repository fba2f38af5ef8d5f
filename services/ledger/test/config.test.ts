import { loadConfig } from "@collect/runtime";
import { busEnvironment } from "@collect/testing";
import { expect, test } from "vitest";
import { Config } from "../src/config.ts";

const environment = { DATABASE_URL: "postgres://localhost", ...busEnvironment("nats://localhost", "ledger") };

test("the shard is 0 unless it is set, and a replica that is still given its former name does not start on 0", () => {
  expect(loadConfig(Config, environment).LEDGER_SHARD).toBe(0);
  expect(loadConfig(Config, { ...environment, LEDGER_SHARD: "3" }).LEDGER_SHARD).toBe(3);
  expect(() => loadConfig(Config, { ...environment, LEDGER_STRIPE: "3" })).toThrow(
    "LEDGER_STRIPE: is now LEDGER_SHARD",
  );
});
