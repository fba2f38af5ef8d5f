import { z } from "zod";
import { Instant } from "../fields.ts";
import { request, SERVICES } from "../message.ts";

/** Requests that several services answer alike, each for what it holds. */

const DeadLetter = z.object({
  consumer: z.string(),
  natural_key: z.string(),
  error: z.string(),
  times: z.int(),
  last_at: Instant,
});

export const deadLetterRequests = Object.fromEntries(
  SERVICES.filter((service) => service !== "gateway" && service !== "dashboard").map((service) => [
    service,
    {
      list: request({
        subject: `${service}.dead_letters.list`,
        callers: ["operator"],
        meaning: "Messages that failed on their data, newest first.",
        input: z.object({}),
        output: z.object({ dead_letters: z.array(DeadLetter) }),
      }),
      retry: request({
        subject: `${service}.dead_letters.retry`,
        callers: ["operator"],
        meaning: "Publish dead letters again and delete them; all of them, or the one with this key.",
        deadlineMs: 30_000,
        input: z.object({ natural_key: z.string().optional() }),
        output: z.object({ retried: z.int() }),
      }),
    },
  ]),
);
