import { randomUUID } from "node:crypto";
import { transferUnallocated } from "@collect/contracts";
import { TimeoutError } from "nats";
import { expect, test } from "vitest";
import { createPublisher } from "../src/connection/publish.ts";
import { seal, until, useBus } from "./world.ts";

const { bus } = await useBus("ledger");

test.each([
  ["short ones 64 to a message", 10, [64, 64, 22]],
  ["long ones as many as 1 MB holds", 20_000, [...Array(10).fill(14), 10]],
  ["one that is longer than that alone", 310_000, Array(150).fill(1)],
])("150 facts are published in order, %s", async (_which, length, sizes) => {
  const messages: unknown[][] = [];
  bus.listen(transferUnallocated, (facts) => void messages.push(facts));
  await bus.nats.flush();
  const at = "2026-11-21T09:30:00.000+00:00";
  // One id, so that all have the same subject.
  const fact = { intakeId: randomUUID(), mode: "test" as const, paidAt: at, receivedAt: "x".repeat(length) };
  const facts = Array.from({ length: 150 }, (_, n) => ({ ...fact, amount: BigInt(n + 1) }));
  await bus.publish(transferUnallocated, facts);
  const mine = () => messages.filter(([first]) => Object(first).intakeId === fact.intakeId);
  await until("all are published", () => mine().flat().length === 150);
  const numbered = mine().map((part) => part.map((one) => Number(Object(one).amount)));
  const sorted = numbered.toSorted(([one = 0], [other = 0]) => one - other);
  expect(sorted.flat()).toEqual(facts.map(({ amount }) => Number(amount)));
  expect(sorted.map((part) => part.length)).toEqual(sizes);
});

test.each([
  ["the same", 0, ["ensured", "published", "published"]],
  ["a new", 1, ["ensured", "published", "ensured", "published"]],
])(
  "a publish that is not acknowledged is repeated, once durables exist, on %s connection",
  async (_which, returns, steps) => {
    const connection = { isUp: true, returns: 0, since: new Date() };
    const taken: string[] = [];
    const publish = async () => {
      if (taken.push("published") > 2) return;
      connection.returns += returns;
      throw new TimeoutError();
    };
    const ensure = async () => void taken.push("ensured");
    const publishFacts = createPublisher({ publish } as never, { ensure, connection, seal });
    const at = "2026-11-21T09:30:00.000+00:00";
    await publishFacts(transferUnallocated, [
      { intakeId: randomUUID(), mode: "test", amount: 1n, paidAt: at, receivedAt: at },
    ]);
    expect(taken).toEqual(steps);
  },
);
