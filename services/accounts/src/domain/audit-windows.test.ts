import fc from "fast-check";
import { expect, test } from "vitest";
import { hourAround, hoursOf, minutesOf, recentWindow, type Window, walkWindow } from "./audit-windows.ts";

const HOUR_MS = 3_600_000;
const times = fc.date({ min: new Date("2026-01-01"), max: new Date("2027-01-01"), noInvalidDate: true });
const at = (time: string) => new Date(`2026-11-21T${time}Z`);

test("a minute is closed once it has been over for a minute", () => {
  expect(recentWindow(at("10:31:59.999")).to).toEqual(at("10:30:00"));
  expect(recentWindow(at("10:32:00.000")).to).toEqual(at("10:31:00"));
});

test("the recent minutes are the last 65, in pieces of an hour at most that leave nothing out", () => {
  fc.assert(
    fc.property(times, (now) => {
      const recent = recentWindow(now);
      expect(minutesOf(recent)).toBe(65);
      const pieces = hoursOf(recent);
      expect(pieces.map(minutesOf)).toEqual([60, 5]);
      expect(pieces[0]?.from).toEqual(recent.from);
      expect(pieces[1]).toEqual({ from: pieces[0]?.to, to: recent.to });
    }),
  );
});

test("nothing from before auditing began is compared", () => {
  const now = at("10:32:00");
  expect(recentWindow(now, at("09:00:00")).from).toEqual(recentWindow(now).from);
  expect(minutesOf(recentWindow(now, at("10:00:00")))).toBe(31);
  expect(hoursOf(recentWindow(now, at("12:00:00")))).toEqual([]);
});

test("the hour of a minute that differed has the minute in it, and nothing that is recent", () => {
  fc.assert(
    fc.property(times, fc.integer({ min: 1, max: 100_000 }), (now, minutesBefore) => {
      const recent = recentWindow(now);
      const minute = new Date(recent.from.getTime() - minutesBefore * 60_000);
      const { from, to } = hourAround(minute, recent);
      expect(from <= minute && minute < to && to <= recent.from).toBe(true);
      expect(to.getTime() - from.getTime()).toBeLessThanOrEqual(HOUR_MS);
    }),
  );
});

test("the walk comes by every hour down to the oldest money, and then begins anew", () => {
  const recent = recentWindow(at("10:31:00"));
  const oldest = new Date(recent.from.getTime() - 3.5 * HOUR_MS);
  const walked: Window[] = [];
  for (let step = 0; step < 5; step++) {
    const next = walkWindow({ walkedTo: walked.at(-1)?.from, oldest, recent });
    if (next) walked.push(next);
  }
  expect(walked.map(minutesOf)).toEqual([60, 60, 60, 30, 60]);
  expect(walked[0]?.to).toEqual(recent.from);
  for (const step of [1, 2, 3]) expect(walked[step]?.to).toEqual(walked[step - 1]?.from);
  expect(walked[3] && walked[3].from <= oldest).toBe(true);
  expect(walked[4]).toEqual(walked[0]);
});

test("there is nothing to walk through while all money is recent", () => {
  const recent = recentWindow(at("10:31:00"));
  expect(walkWindow({ walkedTo: undefined, oldest: recent.from, recent })).toBeUndefined();
});
