import type { PayoutPartner } from "@collect/bank";
import { answer, type Request } from "@collect/bus";
import { getPayoutHealth } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { stateOfAnswers, stateOfPayouts } from "../domain/partner-health.ts";
import { type Answered, readAnswered, readEnquiries, readUnanswered } from "../store/partner-health.ts";

type Deps = { pool: Pool; partner: Pick<PayoutPartner, "id" | "name"> };

/** How the partner bank answers, read from what is recorded: the bank is not called. */
export function partnerRequests({ pool, partner }: Deps): Request[] {
  return [
    answer(getPayoutHealth, async () => {
      const [waiting, answered, enquiries] = await Promise.all([
        readUnanswered(pool),
        readAnswered(pool),
        readEnquiries(pool),
      ]);
      const { count, sum, oldestSentAt, now } = waiting;
      const ended = (end: Answered["end"], span: "hour" | "day") =>
        answered.filter((row) => row.end === end).reduce((total, row) => total + row[span], 0);
      const results = (span: "hour" | "day") => ({
        success: ended("success", span),
        reversed: ended("reversed", span),
        failed: failuresOf(answered, span),
        unanswered: waiting[span],
      });
      const good = ended("success", "hour") + ended("reversed", "hour");
      const { named, unresolved, failed } = enquiries.hour;
      return {
        bank: { code: partner.id, name: partner.name },
        payouts: {
          state: stateOfPayouts({ good, bad: ended("failed", "hour") }, { now, oldestSentAt }),
          unanswered: { count, sum, oldest_sent_at: oldestSentAt },
          ...{ hour: results("hour"), day: results("day") },
          last_success_at: answered.find(({ end }) => end === "success")?.lastAt ?? null,
          since: answered[0]?.since ?? now,
        },
        name_enquiries: {
          state: stateOfAnswers({ good: named + unresolved, bad: failed }),
          ...{ hour: enquiries.hour, day: enquiries.day },
          ...{ last_named_at: enquiries.lastNamedAt, since: enquiries.since },
        },
      };
    }),
  ];
}

const failuresOf = (answered: Answered[], span: "hour" | "day") =>
  answered.flatMap((row) =>
    row.end === "failed" && row[span] > 0 ? [{ code: row.code ?? "unknown", count: row[span] }] : [],
  );
