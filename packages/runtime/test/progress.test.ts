import { describe, expect, test } from "vitest";
import { createWatchdog, exitWhenStuck } from "../src/index.ts";

describe("progress", () => {
  const CHECKS = 60_000 / 5_000;
  const checkTimes = (check: () => string[], times: number) => Array.from({ length: times }, check).flat();

  test("a loop with work and no progress is stuck; an idle, failing or slow loop is not", () => {
    const { watch, check } = createWatchdog();
    const [stuck, failing, slow] = [watch("stuck"), watch("failing"), watch("slow")];
    watch("idle");
    stuck.began();
    slow.began();
    for (let round = 0; round < CHECKS; round++) {
      failing.began();
      expect(check()).toEqual([]);
      failing.ended();
      slow.stepped();
    }
    expect(check()).toEqual(["stuck"]);
    stuck.ended();
    slow.ended();
    expect(checkTimes(check, CHECKS)).toEqual([]);
  });

  test("a loop with concurrent work is not stuck while pieces of it end", () => {
    const { watch, check } = createWatchdog();
    const loop = watch("loop");
    loop.began();
    for (let round = 0; round < 5; round++) {
      loop.began();
      expect(checkTimes(check, CHECKS)).toEqual([]);
      loop.ended();
    }
    expect(checkTimes(check, CHECKS + 1)).toEqual(["loop"]);
  });

  test("a process with a stuck loop raises an alarm and exits", async () => {
    const { watch, check } = createWatchdog();
    const alarms: object[] = [];
    const log = { info: () => {}, warn: () => {}, error: (fields: object) => void alarms.push(fields) };
    watch("ledger.collections").began();
    let checks = 0;
    const counted = () => {
      checks++;
      return check();
    };
    const { promise: ended, resolve: exit } = Promise.withResolvers<void>();
    exitWhenStuck(log, { check: counted, exit, checkIntervalMs: 1 });
    await ended;
    expect(checks).toBe(CHECKS + 1);
    expect(alarms[0]).toEqual({ alarm: "stuck", parts: ["ledger.collections"] });
  });
});
