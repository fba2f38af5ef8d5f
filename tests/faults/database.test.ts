import { afterAll, onTestFinished, test } from "vitest";
import { startStack } from "../stack.ts";
import { openLostReplies } from "./lost-replies.ts";
import { proveNothingLost, redrive } from "./proof.ts";
import { openTraffic } from "./traffic.ts";

const stack = await startStack();
afterAll(() => stack.stop());

test("PostgreSQL stopped at once and started again while transfers flow loses nothing", async () => {
  const traffic = await openTraffic(stack);
  await traffic.flow(40);
  await traffic.flowUntil(stack.stopPostgres({ immediate: true }).then(() => stack.startPostgres()));
  await redrive(stack, traffic);
  await proveNothingLost(stack, traffic);
});

test.each(["accounts", "ledger", "payments", "webhooks"] as const)(
  "commits of %s whose reply is lost are neither lost nor done twice",
  async (name) => {
    const traffic = await openTraffic(stack);
    const wire = await openLostReplies(stack.databaseUrl(name));
    onTestFinished(() => wire.close());
    await stack.service(name).restart({ env: { DATABASE_URL: wire.url } });
    await traffic.flowUntil(wire.cutNextCommit().then(wire.cutNextCommit).then(wire.cutNextCommit));
    await redrive(stack, traffic);
    await proveNothingLost(stack, traffic);
    await stack.service(name).restart();
  },
);
