import { until } from "@collect/testing";
import { expect, onTestFinished, test } from "vitest";
import type { Stack } from "../stack.ts";
import { startPacedTraffic } from "./paced.ts";
import type { Traffic } from "./traffic.ts";

test("transfers that are not reported fail whatever stops the traffic, and none are reported after that", async () => {
  let reports = 0;
  const flow = async () => {
    reports++;
    throw new Error("the stack is gone");
  };
  const traffic = { flow, acknowledged: new Map() } as unknown as Traffic;
  const stack = { receiver: { behave() {} } } as unknown as Stack;
  const paced = startPacedTraffic(stack, traffic, { perSecond: 1_000 });
  onTestFinished(() => paced.stop().catch(() => {}));
  await until("two are reported", () => reports >= 2);
  const reported = reports;
  for (const _ of ["once", "again"]) await expect(paced.stop()).rejects.toThrow(`${reported} transfers were not`);
  expect(reports).toBe(reported);
});
