import { answer, type Request } from "@collect/bus";
import {
  checkPayoutPartners,
  choosePayoutPartner,
  getPayoutHealth,
  listPayoutPartners,
  Problem,
  type Result,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { stateOfAnswers, stateOfPayouts } from "../domain/partner-health.ts";
import { type PayoutPartners, partnerFor } from "../domain/payout-partners.ts";
import { releaseHeld } from "../store/held-transfers.ts";
import { type Answered, readAnswered, readEnquiries, readUnansweredOf } from "../store/partner-health.ts";
import { listPayoutChoices, storePayoutChoice } from "../store/payout-partner-choices.ts";

type Deps = { pool: Pool; lists: Pool; partners: PayoutPartners; worker: { wake(mode: "live"): void } };

/**
 * What the partner banks can do, which sends the payouts of which merchant, how they answer, read from what is recorded, and whether each
 * accepts our credentials, by calling it.
 */
export function partnerRequests({ pool, lists, partners, worker }: Deps): Request[] {
  return [
    answer(getPayoutHealth, () => readHealth(lists, partners)),
    answer(listPayoutPartners, async () => ({
      ...(await listPayoutChoices(lists)),
      partners: partners.all.map(({ id, name, payouts }) => ({
        ...{ id, name, is_default: id === partners.standard.id },
        lists_banks: payouts.unlistedBanks !== undefined,
      })),
    })),
    answer(choosePayoutPartner, async ({ merchant_id: merchantId, partner: choice, reason }, { requestId }) => {
      const partner = partnerFor(partners, choice);
      if (!partner) throw unknownPartner(partners);
      await storePayoutChoice(pool, { merchantId, partner: choice, reason, requestId });
      // Those that waited for a partner that is not configured.
      await releaseHeld(pool, "payouts_stopped", merchantId);
      worker.wake("live");
      return { merchant_id: merchantId, partner: partner.id };
    }),
    answer(checkPayoutPartners, async () => ({
      partners: await Promise.all(
        partners.all.map(async ({ id, check }) => ({
          id,
          checks: (await check()).map(({ name, isOk, detail }) => ({ name, is_ok: isOk, detail })),
        })),
      ),
    })),
  ];
}

const unknownPartner = ({ all }: PayoutPartners) =>
  new Problem("validation_failed", `No such partner pays out. Configured are: ${all.map(({ id }) => id).join(", ")}.`);

type Health = Result<typeof getPayoutHealth>;

async function readHealth(pool: Pool, { all, standard }: PayoutPartners): Promise<Health> {
  const partners = all.map(({ id }) => id);
  const [unanswered, answered, enquiries] = await Promise.all([
    readUnansweredOf(pool, partners, standard.id),
    readAnswered(pool, standard.id),
    readEnquiries(pool),
  ]);
  const payoutsOf = (id: string): Health["payouts"] => {
    const waiting = unanswered.find(({ partner }) => partner === id);
    if (!waiting) throw new Error(`the payouts of ${id} were not counted`);
    const since = answered[0]?.since ?? waiting.now;
    return payoutHealth(
      { ...waiting, since },
      answered.filter(({ partner }) => partner === id),
    );
  };
  const { named, unresolved, failed } = enquiries.hour;
  const bankOf = ({ id, name }: PayoutPartners["standard"]) => ({ code: id, name });
  const others = all.filter(({ id }) => id !== standard.id);
  return {
    ...{ bank: bankOf(standard), payouts: payoutsOf(standard.id) },
    others: others.map((partner) => ({ bank: bankOf(partner), payouts: payoutsOf(partner.id) })),
    name_enquiries: {
      state: stateOfAnswers({ good: named + unresolved, bad: failed }),
      ...{ hour: enquiries.hour, day: enquiries.day },
      ...{ last_named_at: enquiries.lastNamedAt, since: enquiries.since },
    },
  };
}

type Waiting = Awaited<ReturnType<typeof readUnansweredOf>>[number] & { since: string };

function payoutHealth(waiting: Waiting, answered: Answered[]): Health["payouts"] {
  const { count, sum, oldestSentAt, now, since } = waiting;
  const ended = (end: Answered["end"], span: "hour" | "day") =>
    answered.filter((row) => row.end === end).reduce((total, row) => total + row[span], 0);
  const results = (span: "hour" | "day") => ({
    success: ended("success", span),
    reversed: ended("reversed", span),
    failed: failuresOf(answered, span),
    unanswered: waiting[span],
  });
  const good = ended("success", "hour") + ended("reversed", "hour");
  return {
    state: stateOfPayouts({ good, bad: ended("failed", "hour") }, { now, oldestSentAt }),
    unanswered: { count, sum, oldest_sent_at: oldestSentAt },
    ...{ hour: results("hour"), day: results("day") },
    last_success_at: answered.find(({ end }) => end === "success")?.lastAt ?? null,
    since,
  };
}

const failuresOf = (answered: Answered[], span: "hour" | "day") =>
  answered.flatMap((row) =>
    row.end === "failed" && row[span] > 0 ? [{ code: row.code ?? "unknown", count: row[span] }] : [],
  );
