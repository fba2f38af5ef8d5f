import fc from "fast-check";
import { expect, test } from "vitest";
import {
  later,
  minuteFrom,
  settledBefore,
  type Window,
  walkRestMs,
  windowAfter,
  windowBefore,
} from "./audit-windows.ts";

const MINUTE_MS = 60_000;
const at = (time: string) => new Date(`2026-11-21T${time}Z`);
const minutesOf = ({ from, to }: Window) => (to.getTime() - from.getTime()) / MINUTE_MS;

test("a window starts where the last comparison ended, and ends where the set of transfers is final", () => {
  const end = settledBefore(at("10:31:20"));
  expect(windowAfter(at("10:31:03"), { end, full: undefined })).toEqual({ from: at("10:31:03"), to: at("10:31:14") });
  expect(windowAfter(at("10:31:14"), { end, full: undefined })).toBeUndefined();
});

test("the walk rests for as long as the load demands, but never until what it has proven is too old", () => {
  expect(walkRestMs({ tookMs: 100, everyMs: 5_000 })).toBe(1_900);
  expect(walkRestMs({ tookMs: 20_000, everyMs: 5_000 })).toBe(120_000);
});

const minutes = fc.integer({ min: 0, max: 5_000 });
const second = fc.integer({ min: 0, max: 5_000 * 60 });
const START = at("00:00:00").getTime();
const minute = (n: number) => new Date(START + n * MINUTE_MS);

test("forward windows skip nothing and always advance, however many rows they contain", () => {
  fc.assert(
    fc.property(minutes, fc.array(second, { maxLength: 50 }), (length, fulls) => {
      const end = minute(length);
      let from = minute(0);
      for (const full of [...fulls.map((s) => new Date(START + s * 1_000)), ...Array(10).fill(undefined)]) {
        const window = windowAfter(from, { end, full: full && later(from, full) });
        if (!window) break;
        expect(window.from).toEqual(from);
        expect(minutesOf(window)).toBeGreaterThan(0);
        expect(minutesOf(window)).toBeLessThanOrEqual(1_440);
        if (full && full > from) expect(window.to <= full).toBe(true);
        from = window.to;
      }
      if (fulls.length === 0) expect(from).toEqual(end);
    }),
  );
});

test("the walk covers every minute down to the oldest money, in windows of a day or of the row limit", () => {
  const oldest = at("07:00:30");
  const walked: Window[] = [];
  let to = at("10:31:07");
  for (const full of [at("10:30:59"), at("10:15:20"), undefined, undefined]) {
    const window = windowBefore(to, { oldest, full });
    if (!window) break;
    walked.push(window);
    to = window.from;
  }
  expect(walked).toEqual([
    { from: at("10:30:00"), to: at("10:31:07") },
    { from: at("10:15:00"), to: at("10:30:00") },
    { from: at("07:00:00"), to: at("10:15:00") },
  ]);
  const before = new Date(START - 3 * 86_400_000);
  expect(windowBefore(at("00:00:00"), { oldest: before, full: undefined })?.from).toEqual(new Date(START - 86_400_000));
});

test("only the elapsed part of the current minute is compared", () => {
  expect(minuteFrom(at("10:30:00"), at("10:30:20"))).toEqual({ from: at("10:30:00"), to: at("10:30:20") });
  expect(minuteFrom(at("10:30:00"), at("11:00:00"))).toEqual({ from: at("10:30:00"), to: at("10:31:00") });
});
