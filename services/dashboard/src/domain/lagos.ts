/** Times of Lagos, UTC+1 all year, in documents and mails. */
export const LAGOS_AHEAD_MS = 3_600_000;

/** The same instant with the clock of Lagos: `2026-11-21T10:30:00.123+01:00`. */
export function inLagos(instant: string): string {
  return new Date(Date.parse(instant) + LAGOS_AHEAD_MS).toISOString().replace("Z", "+01:00");
}

const formatOf = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat("en-GB", { timeZone: "Africa/Lagos", ...options });
  return (at: Date) => format.format(at);
};

/** `21 November 2026`. */
export const dayOf = formatOf({ dateStyle: "long" });
/** `November 2026`. */
export const monthOf = formatOf({ month: "long", year: "numeric" });
/** `23 November 2026, 16:15`. */
export const timeOf = (at: Date): string => `${dayOf(at)}, ${inLagos(at.toISOString()).slice(11, 16)}`;
