import { answer, type Request } from "@collect/bus";
import { checkPayoutPartners, getPayoutHealth } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { stateOfAnswers, stateOfPayouts } from "../domain/partner-health.ts";
import type { PayoutPartners } from "../domain/payout-partners.ts";
import { type Answered, readAnswered, readEnquiries, readUnanswered } from "../store/partner-health.ts";

/** How the partner bank answers, read from what is recorded, and whether each partner accepts our credentials, by calling it. */
export function partnerRequests({ pool, partners }: { pool: Pool; partners: PayoutPartners }): Request[] {
  return [
    answer(checkPayoutPartners, async () => ({
      partners: await Promise.all(
        partners.all.map(async ({ id, check }) => ({
          id,
          checks: (await check()).map(({ name, isOk, detail }) => ({ name, is_ok: isOk, detail })),
        })),
      ),
    })),

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
        bank: { code: partners.standard.id, name: partners.standard.name },
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
