import type { PartnerState } from "@collect/contracts";

/** One that the bank does not know has failed by then. */
const UNANSWERED_MAX_MS = 10 * 60_000;
/** Fewer answers in an hour say nothing about the bank. */
const JUDGED_FROM = 5;

type Answers = { good: number; bad: number };

/** Quiet: there was no answer in the hour. Failing: there were five or more, and more than half of them bad. */
export function stateOfAnswers({ good, bad }: Answers): PartnerState {
  if (good + bad === 0) return "quiet";
  return good + bad >= JUDGED_FROM && bad > good ? "failing" : "ok";
}

/** The same for payouts, and failing while one has waited for more than ten minutes; one that waits is not quiet. */
export function stateOfPayouts(hour: Answers, { now, oldestSentAt }: { now: string; oldestSentAt: string | null }) {
  if (!oldestSentAt) return stateOfAnswers(hour);
  if (Date.parse(now) - Date.parse(oldestSentAt) > UNANSWERED_MAX_MS) return "failing";
  const state = stateOfAnswers(hour);
  return state === "quiet" ? "ok" : state;
}
