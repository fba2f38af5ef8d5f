const LAGOS_MS = 3_600_000;

/** The forms in which the bank writes times: three without an offset, in Lagos, and one with it. */
export const TIME_FORMS = ["plain", "milliseconds", "american", "offset"] as const;
export type TimeForm = (typeof TIME_FORMS)[number];

export function writeTime(instant: Date, form: TimeForm): string {
  const [date = "", clock = ""] = new Date(instant.getTime() + LAGOS_MS).toISOString().slice(0, -1).split("T");
  switch (form) {
    case "plain":
      return `${date} ${clock.slice(0, 8)}`;
    case "milliseconds":
      return `${date} ${clock}`;
    case "american":
      return american(date, clock);
    case "offset":
      return instant.toISOString().replace("Z", "+0000");
  }
}

/** `2/13/2021 4:11:09 PM` */
function american(date: string, clock: string): string {
  const [year, month, day] = date.split("-").map(Number);
  const hour = Number(clock.slice(0, 2));
  return `${month}/${day}/${year} ${hour % 12 || 12}${clock.slice(2, 8)} ${hour < 12 ? "AM" : "PM"}`;
}
