import { describe, expect, test } from "vitest";
import { createWatchdog, exitWhenStuck } from "../src/index.ts";

describe("progress", () => {
  const LOOKS = 60_000 / 5_000;
  const lookTimes = (look: () => string[], times: number) => Array.from({ length: times }, look).flat();

  test("a loop with work that does not go on is stuck, and one that is idle, fails or goes slowly is not", () => {
    const { watch, look } = createWatchdog();
    const [stuck, failing, slow] = [watch("stuck"), watch("failing"), watch("slow")];
    watch("idle");
    stuck.began();
    slow.began();
    for (let round = 0; round < LOOKS; round++) {
      failing.began();
      expect(look()).toEqual([]);
      failing.ended();
      slow.stepped();
    }
    expect(look()).toEqual(["stuck"]);
    stuck.ended();
    slow.ended();
    expect(lookTimes(look, LOOKS)).toEqual([]);
  });

  test("a loop that does several things at once goes on while one of them ends", () => {
    const { watch, look } = createWatchdog();
    const loop = watch("loop");
    loop.began();
    for (let round = 0; round < 5; round++) {
      loop.began();
      expect(lookTimes(look, LOOKS)).toEqual([]);
      loop.ended();
    }
    expect(lookTimes(look, LOOKS + 1)).toEqual(["loop"]);
  });

  test("a process with a stuck loop says so and ends", async () => {
    const { watch, look } = createWatchdog();
    const alarms: object[] = [];
    const log = { info: () => {}, warn: () => {}, error: (fields: object) => void alarms.push(fields) };
    watch("ledger.collections").began();
    let looks = 0;
    const counted = () => {
      looks++;
      return look();
    };
    const { promise: ended, resolve: exit } = Promise.withResolvers<void>();
    exitWhenStuck(log, { look: counted, exit, lookEveryMs: 1 });
    await ended;
    expect(looks).toBe(LOOKS + 1);
    expect(alarms[0]).toEqual({ alarm: "stuck", parts: ["ledger.collections"] });
  });
});
