import { z } from "zod";
import { Instant, Mode } from "../fields.ts";
import { Timestamp } from "./lists.ts";
import { CREATED_AT } from "./story.ts";

const DAY_S = 86_400;

/** How far a test clock can be ahead of real time, in seconds. */
export const TEST_CLOCK_AHEAD_MAX_S = 400 * DAY_S;

export const AdvanceTestClock = z
  .object({
    advance_by: z.int().min(1).max(TEST_CLOCK_AHEAD_MAX_S).optional().meta({
      description:
        "Seconds from the clock's present time. A repeat advances it again. Either this or `advance_to` is required.",
    }),
    advance_to: Instant.optional().meta({
      description:
        "A time that the clock has not passed, at most 400 days ahead of real time. Safe to repeat until real time has passed it. Either this or `advance_by` is required.",
    }),
  })
  .meta({ description: "How far to advance the test clock.", examples: [{ advance_by: DAY_S }] });

const clock = {
  now: Timestamp.meta({ description: "The time in your test mode." }),
  ahead_by: z.int().meta({
    description:
      "How many seconds that is ahead of real time. At 0 the clock runs with real time; otherwise it stands still.",
  }),
};

/** The time in a merchant's test mode. */
export const TestClock = z.object({ ...clock, mode: Mode }).meta({
  id: "TestClock",
  description: "The time in your test mode.",
  examples: [{ now: CREATED_AT, ahead_by: 0, mode: "test" }],
});

export const AdvancedTestClock = z
  .object({
    ...clock,
    has_more: z.boolean().meta({
      description:
        "Whether the call ended early, because much was due. Send it again with `advance_to`, until this is false.",
    }),
    mode: Mode,
  })
  .meta({
    id: "AdvancedTestClock",
    description: "The time in your test mode. Everything that was due by then is done, unless `has_more` is true.",
    examples: [{ now: CREATED_AT, ahead_by: DAY_S, has_more: false, mode: "test" }],
  });
