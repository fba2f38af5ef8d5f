import { transferUnallocated } from "@collect/contracts";
import type { Pool } from "@collect/database";
import type { JsMsg } from "@nats-io/jetstream";
import { expect, test } from "vitest";
import { createBatchHandler } from "../src/consuming/batch.ts";
import { unpack } from "../src/consuming/unpack.ts";
import type { Bus } from "../src/index.ts";
import { log, seal } from "./world.ts";

test("every failed attempt counts as progress, also while a batch is halved: a slow database does not look like a stuck loop", async () => {
  const at = "2026-11-21T09:30:00.000+00:00";
  const facts = Array.from({ length: 8 }, (_, n) => ({
    intakeId: `int_${n}`,
    mode: "test",
    amount: "1",
    paidAt: at,
    receivedAt: at,
  }));
  const sealed = facts.map((fact) => ({ ...fact, mac: seal.macOf(transferUnallocated, fact) }));
  const message = { subject: "", json: () => sealed } as unknown as JsMsg;
  const stopping = new AbortController();
  let failures = 0;
  let steps = 0;
  const handleBatch = createBatchHandler(
    {} as Bus,
    { service: "ledger", pools: { live: {} as Pool, test: {} as Pool }, log },
    {
      consumer: {
        event: transferUnallocated,
        batchMax: 8,
        apartMs: 0,
        async handle() {
          // Each of these ran into its timeout.
          expect(steps).toBeGreaterThanOrEqual(failures);
          if (++failures === 15) stopping.abort();
          throw Object.assign(new Error("canceling statement due to statement timeout"), { code: "57014" });
        },
      },
      mode: "test",
      signal: stopping.signal,
      stepped: () => void steps++,
    },
  );
  expect(await handleBatch([unpack(transferUnallocated, message, seal)])).toBe(false);
  expect(failures).toBe(15);
  expect(steps).toBeGreaterThanOrEqual(15);
});
