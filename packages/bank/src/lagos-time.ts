import { instantOf } from "@collect/contracts";

const DATE_FIRST =
  /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?\s?(Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?$/;
/** Month first, with a twelve-hour clock. */
const AMERICAN = /^(\d{1,2})\/(\d{1,2})\/(\d{4}) (\d{1,2}):(\d\d):(\d\d) ([AP])M$/i;
/** West Africa Time: an hour ahead of UTC, all year round. */
const LAGOS_OFFSET_MINUTES = 60;

/**
 * The instant of a time as Nigerian banks write it: `2021-03-01 18:09:20.000`, `2023-04-26 09:09:41`, `2/13/2021 4:11:09 PM`
 * or `2023-12-02T18:50:09.932+0000`. Without an offset it is Lagos time. In UTC to the millisecond; undefined for anything
 * else, including a day that does not exist.
 */
export function lagosInstant(text: string): string | undefined {
  const time = text.trim();
  const date = fromDateFirst(time) ?? fromAmerican(time);
  return date && date.getUTCFullYear() >= 2000 && date.getUTCFullYear() <= 9999 ? instantOf(date) : undefined;
}

function fromDateFirst(time: string): Date | undefined {
  const [, year, month, day, hour, minute, second, fraction = "", offset] = DATE_FIRST.exec(time) ?? [];
  if (year === undefined) return undefined;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, "0"));
  return dateOf([year, month, day, hour, minute, second].map(Number), { milliseconds, offset: offsetMinutes(offset) });
}

function fromAmerican(time: string): Date | undefined {
  const [, month, day, year, hour, minute, second, half] = AMERICAN.exec(time) ?? [];
  if (year === undefined || Number(hour) < 1 || Number(hour) > 12) return undefined;
  const hour24 = (Number(hour) % 12) + (half?.toUpperCase() === "P" ? 12 : 0);
  const parts = [Number(year), Number(month), Number(day), hour24, Number(minute), Number(second)];
  return dateOf(parts, { milliseconds: 0, offset: LAGOS_OFFSET_MINUTES });
}

function offsetMinutes(offset: string | undefined): number {
  if (offset === undefined) return LAGOS_OFFSET_MINUTES;
  if (offset === "Z") return 0;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
  return offset.startsWith("-") ? -minutes : minutes;
}

/** Undefined if a part is out of its range: `Date.UTC` would carry it over. The offset is in minutes. */
function dateOf(parts: number[], { milliseconds, offset }: { milliseconds: number; offset: number }): Date | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  const local = new Date(Date.UTC(year, month - 1, day, hour, minute, second, milliseconds));
  const date = [local.getUTCFullYear(), local.getUTCMonth() + 1, local.getUTCDate()];
  const read = [...date, local.getUTCHours(), local.getUTCMinutes(), local.getUTCSeconds()];
  return read.join() === parts.join() ? new Date(local.getTime() - offset * 60_000) : undefined;
}
