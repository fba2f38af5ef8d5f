import fc from "fast-check";
import { expect, test } from "vitest";
import { lastReported, nextReport, REPORTS } from "./report-schedule.ts";

const iso = ({ from, before }: { from: Date; before: Date }) => [from.toISOString(), before.toISOString()];

test("a month is reported on the first of the next one at 07:00 in Lagos", () => {
  const [early, due] = [new Date("2026-12-01T05:59:59.999Z"), new Date("2026-12-01T06:00:00.000Z")];
  expect(iso(lastReported("monthly", early))).toEqual(["2026-09-30T23:00:00.000Z", "2026-10-31T23:00:00.000Z"]);
  expect(nextReport("monthly", early)).toEqual(due);
  expect(iso(lastReported("monthly", due))).toEqual(["2026-10-31T23:00:00.000Z", "2026-11-30T23:00:00.000Z"]);
  expect(nextReport("monthly", due).toISOString()).toBe("2027-01-01T06:00:00.000Z");
});

test("a week from Monday to Sunday is reported on the next Monday at 07:00 in Lagos", () => {
  const [early, due] = [new Date("2026-11-23T05:59:59.999Z"), new Date("2026-11-23T06:00:00.000Z")];
  expect(nextReport("weekly", early)).toEqual(due);
  expect(iso(lastReported("weekly", due))).toEqual(["2026-11-15T23:00:00.000Z", "2026-11-22T23:00:00.000Z"]);
  expect(nextReport("weekly", due).toISOString()).toBe("2026-11-30T06:00:00.000Z");
});

test("the periods follow each other without a gap, and the last one ended before now", () => {
  const instant = fc.date({ min: new Date("2024-01-01"), max: new Date("2060-01-01"), noInvalidDate: true });
  fc.assert(
    fc.property(fc.constantFrom(...REPORTS), instant, (every, now) => {
      const [last, due] = [lastReported(every, now), nextReport(every, now)];
      expect(last.before <= now && now < due).toBe(true);
      expect(lastReported(every, due).from).toEqual(last.before);
      expect(lastReported(every, new Date(due.getTime() - 1))).toEqual(last);
    }),
  );
});
