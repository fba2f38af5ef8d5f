import { z } from "zod";
import { Instant } from "../fields.ts";
import { request, SERVICES } from "../message.ts";

/** Requests that several services serve, each for its own data. */

const DeadLetter = z.object({
  consumer: z.string(),
  natural_key: z.string(),
  error: z.string(),
  times: z.int(),
  last_at: Instant,
});

/** They consume no events. */
const WITHOUT_EVENTS: readonly string[] = ["gateway", "dashboard", "statements"];

export const deadLetterRequests = Object.fromEntries(
  SERVICES.filter((service) => !WITHOUT_EVENTS.includes(service)).map((service) => [
    service,
    {
      list: request({
        subject: `${service}.dead_letters.list`,
        callers: ["operator"],
        operator: "read",
        operatorPages: true,
        meaning: "Dead letters, newest first: facts that failed alone because of their data.",
        input: z.object({}),
        output: z.object({ dead_letters: z.array(DeadLetter) }),
      }),
      retry: request({
        subject: `${service}.dead_letters.retry`,
        callers: ["operator"],
        operator: { action: "dead_letters.retried", detail: ["natural_key"], result: ["retried"] },
        operatorPages: true,
        meaning: "Republish dead letters and delete them: all, or the one with this key.",
        deadlineMs: 30_000,
        input: z.object({ natural_key: z.string().optional() }),
        output: z.object({ retried: z.int() }),
      }),
      discard: request({
        subject: `${service}.dead_letters.discard`,
        callers: ["operator"],
        operator: {
          action: "dead_letters.discarded",
          detail: ["natural_key", "prefix", "count"],
          result: ["discarded"],
        },
        operatorPages: true,
        meaning:
          "Delete dead letters that are no facts of ours, forged ones or such as cannot be read: the one with this key, or all whose keys begin so, if there are exactly this many.",
        input: z.object({
          natural_key: z.string().min(1).optional(),
          prefix: z.string().min(1).optional(),
          count: z.int().min(1).optional(),
        }),
        output: z.object({ discarded: z.int() }),
      }),
    },
  ]),
);
