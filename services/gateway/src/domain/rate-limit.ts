/** The kinds of counted calls. Each is one budget per merchant, shared by all its keys, both modes and all routes of the kind. */
export type Budget = "accounts" | "reads";

export const WINDOW_SECONDS = 3_600;
/** Sixty complete minutes and the current one: a call counts for at least an hour, and at most a minute longer. */
export const CELLS = WINDOW_SECONDS / 60 + 1;

/** A budget as the database stores it: calls by minute, newest first; the first cell is that of `minute` (since 1970). */
export type Cells = { quota: number; counts: readonly number[]; minute: number };
export type Standing = { remaining: number; freesInSeconds: number };

/** The remaining budget and the time of the next increase, at `now` in seconds since 1970 by the database's clock. */
export function standingOf({ quota, counts, minute }: Cells, now: number): Standing {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const remaining = Math.max(quota - total, 0);
  let left = total;
  for (let age = counts.length - 1; age >= 0; age--) {
    left -= counts[age] ?? 0;
    const forgottenAt = (minute - age + CELLS) * 60;
    // Cells that were read some minutes after they were written may have expired already.
    if (quota - left > remaining) return { remaining, freesInSeconds: Math.max(Math.ceil(forgottenAt - now), 1) };
  }
  return { remaining, freesInSeconds: WINDOW_SECONDS };
}

/** The fields of draft-ietf-httpapi-ratelimit-headers-08: the policy, and the caller's remaining budget. */
export function rateLimitFields(budget: Budget, quota: number, { remaining, freesInSeconds }: Standing) {
  return {
    "RateLimit-Policy": `"${budget}";q=${quota};w=${WINDOW_SECONDS}`,
    RateLimit: `"${budget}";r=${remaining};t=${freesInSeconds}`,
  };
}
