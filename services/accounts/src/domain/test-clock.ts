import { type advanceTestClock, type Input, invalidFields, TEST_CLOCK_AHEAD_MAX_S } from "@collect/contracts";

type Given = Pick<Input<typeof advanceTestClock>, "advance_by" | "advance_to">;

/** The time to which the clock is to go: not back, and at most 400 days ahead of real time. */
export function clockTarget({ advance_by: by, advance_to: to }: Given, { now, real }: { now: Date; real: Date }): Date {
  if (by === undefined) {
    if (to === undefined) throw refused("required", "is required if the other field is not set");
    return reachable(new Date(to), "advance_to", { now, real });
  }
  if (to !== undefined) throw refused("not_allowed", "is not allowed if the other field is set");
  return reachable(new Date(now.getTime() + by * 1_000), "advance_by", { now, real });
}

function reachable(target: Date, param: string, { now, real }: { now: Date; real: Date }): Date {
  const latest = new Date(real.getTime() + TEST_CLOCK_AHEAD_MAX_S * 1_000);
  if (target < now)
    throw invalidFields([
      {
        param,
        code: "too_early",
        message: `must not be before the time of the clock, ${now.toISOString()}: it goes forward only`,
      },
    ]);
  if (target > latest)
    throw invalidFields([
      { param, code: "too_late", message: `must not lead beyond ${latest.toISOString()}, 400 days ahead of real time` },
    ]);
  return target;
}

const refused = (code: string, message: string) =>
  invalidFields(["advance_by", "advance_to"].map((param) => ({ param, code, message })));
