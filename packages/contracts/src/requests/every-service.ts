import { z } from "zod";
import { Instant, Kobo, Mode } from "../fields.ts";
import { request, SERVICES, type ServiceName } from "../message.ts";

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
        meaning: "Messages that failed on their data, newest first.",
        input: z.object({}),
        output: z.object({ dead_letters: z.array(DeadLetter) }),
      }),
      retry: request({
        subject: `${service}.dead_letters.retry`,
        meaning: "Publish dead letters again and forget them; all of them, or the one with this key.",
        deadlineMs: 30_000,
        input: z.object({ natural_key: z.string().optional() }),
        output: z.object({ retried: z.int() }),
      }),
    },
  ]),
);

/** Money received in one minute, as one service holds it. */
export const ReceivedMinute = z.object({
  mode: Mode,
  kind: z.enum(["collection", "suspense"]),
  minute: Instant,
  count: z.int(),
  sum: Kobo,
});
export type ReceivedMinute = z.output<typeof ReceivedMinute>;

const countMinutesOf = (service: ServiceName) =>
  request({
    subject: `${service}.audit.minutes`,
    meaning: "Count and sum of what was received in [from, to), at most a day, by mode, kind and minute.",
    deadlineMs: 15_000,
    input: z
      .object({ from: Instant, to: Instant })
      .refine(({ from, to }) => isWithinADay(Date.parse(to) - Date.parse(from)), {
        path: ["to"],
        message: "must be at most a day after from",
      }),
    output: z.object({ minutes: z.array(ReceivedMinute) }),
  });

/** What every stage after accounts is asked by the self-audit. */
export const countMinutes = {
  ledger: countMinutesOf("ledger"),
  payments: countMinutesOf("payments"),
  webhooks: countMinutesOf("webhooks"),
};

function isWithinADay(ms: number): boolean {
  return ms >= 0 && ms <= 86_400_000;
}
