import { afterAll, test } from "vitest";
import { startStack } from "../stack.ts";
import { proveNothingLost, redrive } from "./proof.ts";
import { openTraffic } from "./traffic.ts";

const stack = await startStack();
afterAll(() => stack.stop());

/**
 * `committed`: after commit, before publish. `published`: before acknowledge. `posted`: before the result is stored.
 */
test.each([
  // The first pass is the intake's; later ones may belong to the completion of transfers.
  ["accounts", "committed", 1],
  ["accounts", "published", 1],
  ["accounts", "committed", 4],
  ["accounts", "published", 4],
  ["ledger", "committed", 4],
  ["ledger", "published", 4],
  ["payments", "committed", 4],
  ["payments", "published", 4],
  ["webhooks", "committed", 4],
  ["webhooks", "published", 4],
  ["webhooks", "posted", 4],
] as const)(
  "%s killed at failpoint %s, pass %i, loses nothing and duplicates nothing",
  async (name, failpoint, time) => {
    const service = stack.service(name);
    const traffic = await openTraffic(stack);
    await service.restart({ env: { FAILPOINT: `${failpoint}:${time}` } });
    await traffic.flowUntil(service.exited().then(() => service.restart()));
    await redrive(stack, traffic);
    await proveNothingLost(stack, traffic);
  },
);
