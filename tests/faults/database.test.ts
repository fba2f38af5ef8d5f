import { afterAll, onTestFinished, test } from "vitest";
import { startStack } from "../stack.ts";
import { openLostReplies } from "./lost-replies.ts";
import { proveNothingLost, redrive } from "./proof.ts";
import { openTraffic } from "./traffic.ts";

const stack = await startStack();
afterAll(() => stack.stop());

test("an immediate shutdown and restart of PostgreSQL while transfers flow loses nothing", async () => {
  const traffic = await openTraffic(stack);
  await traffic.flow(40);
  await traffic.flowUntil(stack.stopPostgres({ immediate: true }).then(() => stack.startPostgres()));
  await redrive(stack, traffic);
  await proveNothingLost(stack, traffic);
});

test.each(["accounts", "ledger", "payments", "webhooks"] as const)(
  "commits of %s whose reply is lost are neither lost nor repeated",
  async (name) => {
    const traffic = await openTraffic(stack);
    const proxy = await openLostReplies(stack.databaseUrl(name));
    onTestFinished(() => proxy.close());
    await stack.service(name).restart({ env: { DATABASE_URL: proxy.url } });
    await traffic.flowUntil(proxy.cutNextCommit().then(proxy.cutNextCommit).then(proxy.cutNextCommit));
    await redrive(stack, traffic);
    await proveNothingLost(stack, traffic);
    await stack.service(name).restart();
  },
);
