import { createLogger } from "@collect/runtime";
import pg from "pg";
import { expect, test } from "vitest";
import { enforceRetention, type Retention } from "../src/index.ts";

test("what is past its retention is removed in one run however much it is, and a rule that fails keeps no other from its turn", async () => {
  // The rules are given the pool, and nothing else is done with it.
  const pool = new pg.Pool();
  const isEmpty = Promise.withResolvers<void>();
  let left = 300_500;
  const failing: Retention = { name: "failing", days: 1, remove: () => Promise.reject(new Error("away")) };
  const rows: Retention = {
    name: "rows",
    days: 1,
    async remove(_, { max }) {
      const removed = Math.min(left, max);
      left -= removed;
      if (left === 0) isEmpty.resolve();
      return removed;
    },
  };
  const worker = enforceRetention(pool, { log: createLogger("test", "silent"), rules: [failing, rows] });
  await worker.start();
  await isEmpty.promise;
  await worker.stop();
  await pool.end();
  expect(left).toBe(0);
});
