import { z } from "zod";
import { Instant, MerchantScope } from "../fields.ts";
import { AdvancedTestClock, AdvanceTestClock, TestClock } from "../merchant-api/test-clock.ts";
import { request } from "../message.ts";
import { byScope } from "./merchant.ts";

/** The time in a merchant's test mode. accounts keeps it; the services in which something waits for a time have a copy. */

export const advanceTestClock = request({
  subject: "accounts.test_clock.advance",
  callers: ["gateway", "dashboard"],
  meaning: "Advance a merchant's test clock, from one due time to the next. Live mode is refused.",
  deadlineMs: 30_000,
  input: byScope.extend(AdvanceTestClock.shape),
  output: AdvancedTestClock,
});

export const readTestClock = request({
  subject: "accounts.test_clock.get",
  callers: ["gateway", "dashboard"],
  meaning: "The time in a merchant's test mode. Live mode is refused.",
  input: byScope,
  output: TestClock,
});

/** The services in which something waits for a time. */
export type ClockedService = "ledger" | "payments" | "webhooks";

const moveContract = (service: ClockedService) =>
  request({
    subject: `${service}.test_clock.move`,
    callers: ["accounts"],
    meaning:
      "Move the copy of a merchant's test clock to this time, start what is due by then, and return what is next.",
    input: z.object({ merchant: MerchantScope, to: Instant }),
    output: z.object({
      /** The copy, which never goes back. */
      at: Instant,
      /** Something that was due by then is still in progress. */
      is_busy: z.boolean(),
      /** The earliest later time for which something waits. */
      next_at: Instant.nullable(),
    }),
  });

export const moveTestClock = {
  ledger: moveContract("ledger"),
  webhooks: moveContract("webhooks"),
  payments: moveContract("payments"),
};
