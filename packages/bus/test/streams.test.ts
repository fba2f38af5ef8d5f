import { EVENTS } from "@collect/contracts";
import { expect, test } from "vitest";
import { durableName, partitionOf, subjectOf } from "../src/index.ts";

test("facts of one merchant stay in one partition, and merchants spread over all of them", () => {
  const merchants = Array.from({ length: 1_000 }, (_, n) => `mer_${n}`);
  const partitions = () => merchants.map((merchant) => partitionOf(merchant, 4));
  expect(partitions()).toEqual(partitions());
  expect(new Set(partitions())).toEqual(new Set([0, 1, 2, 3]));
});

test("subjects have six parts and every durable has a name of its own", () => {
  for (const event of EVENTS) expect(subjectOf(event, "live", 3).split(".")).toHaveLength(6);
  const names = EVENTS.flatMap((event) =>
    event.to.flatMap((to) => [durableName(event, to, "test"), durableName(event, to, "live")]),
  );
  expect(new Set(names).size).toBe(names.length);
});
