import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lagosInstant } from "./lagos-time.ts";

const LAGOS_MS = 3_600_000;
const instants = fc.date({
  min: new Date("2000-01-02T00:00:00Z"),
  max: new Date("9999-12-30T00:00:00Z"),
  noInvalidDate: true,
});
const two = (value: number) => String(value).padStart(2, "0");
/** The date and time on a clock in Lagos. */
const onTheWall = (date: Date) => new Date(date.getTime() + LAGOS_MS).toISOString();
const expected = (date: Date) => date.toISOString().replace("Z", "+00:00");
const wholeSecond = (date: Date) => new Date(Math.floor(date.getTime() / 1_000) * 1_000);

describe("a time without an offset is Lagos time:", () => {
  test("year first, with or without a fraction, by a space or a T", () => {
    fc.assert(
      fc.property(instants, (date) => {
        const wall = onTheWall(date).replace("Z", "");
        expect(lagosInstant(wall)).toBe(expected(date));
        expect(lagosInstant(wall.replace("T", " "))).toBe(expected(date));
        expect(lagosInstant(wall.slice(0, 19).replace("T", " "))).toBe(expected(wholeSecond(date)));
      }),
    );
  });

  test("month first, with a twelve-hour clock", () => {
    fc.assert(
      fc.property(instants, (date) => {
        const wall = new Date(onTheWall(date));
        const day = `${wall.getUTCMonth() + 1}/${wall.getUTCDate()}/${wall.getUTCFullYear()}`;
        const hour = wall.getUTCHours();
        const clock = `${hour % 12 || 12}:${two(wall.getUTCMinutes())}:${two(wall.getUTCSeconds())}`;
        expect(lagosInstant(`${day} ${clock} ${hour < 12 ? "AM" : "PM"}`)).toBe(expected(wholeSecond(date)));
      }),
    );
  });
});

test("a time with an offset is the same instant for any offset", () => {
  fc.assert(
    fc.property(instants, fc.integer({ min: -720, max: 840 }), (date, minutes) => {
      const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1);
      const size = Math.abs(minutes);
      const [hours, rest] = [two(Math.floor(size / 60)), two(size % 60)];
      const sign = minutes < 0 ? "-" : "+";
      for (const offset of [`${sign}${hours}${rest}`, `${sign}${hours}:${rest}`])
        expect(lagosInstant(`${local}${offset}`)).toBe(expected(date));
    }),
  );
});

test.each([
  ["2021-03-01 18:09:20.000", "2021-03-01T17:09:20.000+00:00"],
  ["2/13/2021 4:11:09 PM", "2021-02-13T15:11:09.000+00:00"],
  ["2/13/2021 12:05:00 AM", "2021-02-12T23:05:00.000+00:00"],
  ["2023-04-26 09:09:41", "2023-04-26T08:09:41.000+00:00"],
  ["2023-12-02T18:50:09.932+0000", "2023-12-02T18:50:09.932+00:00"],
  ["2026-01-01 00:15:00", "2025-12-31T23:15:00.000+00:00"],
  ["2026-11-21T09:30:00Z", "2026-11-21T09:30:00.000+00:00"],
])("%s, as banks were seen to write it, is %s", (text, instant) => expect(lagosInstant(text)).toBe(instant));

test.each([
  "",
  "2021-02-29 10:00:00",
  "2021-13-01 10:00:00",
  "2021-03-01 24:00:00",
  "2021-03-01 10:60:00",
  "13/2/2021 4:11:09 PM",
  "2/30/2021 4:11:09 PM",
  "2/13/2021 13:11:09 PM",
  "2/13/2021 0:11:09 AM",
  "2/13/2021 16:11:09",
  "2021-03-01T10:00:00+2500",
  "2021-03-01",
  "1999-12-31 10:00:00",
  "1614618560000",
  "today",
])("%j is refused, never guessed", (text) => expect(lagosInstant(text)).toBeUndefined());
