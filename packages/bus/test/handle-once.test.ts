import { suspensePosted, transferUnallocated } from "@collect/contracts";
import { RequestError } from "nats";
import { expect, test } from "vitest";
import { handleOnce } from "../src/consuming/handle-once.ts";
import { type Bus, consumeByStatement } from "../src/index.ts";
import { log } from "./world.ts";

test("follow-up work, which may tell the outside, waits until the broker has the batch's output", async () => {
  const order: string[] = [];
  const publish = async () => {
    order.push("publish");
    if (order.length === 1) throw new RequestError("the message broker is unreachable");
  };
  const consumer = consumeByStatement(transferUnallocated, { batchMax: 1 }, async (outgoing) => {
    outgoing.publish(suspensePosted, []);
    outgoing.afterwards(() => void order.push("follow-up"));
  });
  const pools = { live: undefined, test: undefined } as never;
  const run = { consumer, mode: "live", signal: new AbortController().signal, stepped: () => {} } as const;
  await handleOnce([], { publish } as unknown as Bus, { service: "ledger", pools, log }, run);
  expect(order).toEqual(["publish", "publish", "follow-up"]);
});
