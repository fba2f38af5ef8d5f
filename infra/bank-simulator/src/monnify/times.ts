/** West Africa Time: an hour ahead of UTC, all year round. */
const OFFSET_MS = 3_600_000;

/** `2021-11-17 11:28:42.615`, Lagos time without an offset. */
export const lagosTime = (date: Date): string =>
  new Date(date.getTime() + OFFSET_MS).toISOString().slice(0, -1).replace("T", " ");

/** `17/11/2021 03:48:10 PM`, the same in words for people. */
export function dayFirst(date: Date): string {
  const [year, month, day, hour = "", minute, second] = lagosTime(date).split(/\D/);
  const twelve = Number(hour) % 12 || 12;
  return `${day}/${month}/${year} ${String(twelve).padStart(2, "0")}:${minute}:${second} ${Number(hour) < 12 ? "AM" : "PM"}`;
}

/** `2022-11-03T14:13:38.140+0000`. */
export const withOffset = (date: Date): string => date.toISOString().replace("Z", "+0000");

export const TIME_FORMS = { plain: lagosTime, day_first: dayFirst, offset: withOffset } as const;
