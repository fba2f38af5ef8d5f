import { instantOf } from "@collect/contracts";
import { type Pool, type Transaction, transaction } from "@collect/database";
import { type Component, interval, type Logger } from "@collect/runtime";
import { lastReported, nextReport } from "../domain/report-schedule.ts";
import { isAllowed } from "../domain/role.ts";
import { type DueReport, postponeReports, takeDueReports } from "../store/mail-choices.ts";
import { queueMails } from "../store/mails.ts";

const EVERY_MS = 60_000;
const REPORTS_A_STEP = 100;

/** Mails members who chose it that a week or a month is ready to be downloaded. */
export function mailReports({ pool, log }: { pool: Pool; log: Logger }): Component {
  return interval({ name: "reports", everyMs: EVERY_MS, log }, async (signal, stepped) => {
    while (!signal.aborted && (await transaction(pool, queueDueReports)) === REPORTS_A_STEP) stepped();
  });
}

/**
 * The mail is queued in the transaction that says when the next one is due, so each period is mailed once, whichever replica does it
 * and wherever it dies. After a time without any replica the last period is mailed and no earlier one. Returns how many were due.
 */
export async function queueDueReports(tx: Transaction): Promise<number> {
  const due = await takeDueReports(tx, REPORTS_A_STEP);
  const mailed = due.filter(({ role, is_verified }) => is_verified && isAllowed(role, "exports"));
  await queueMails(tx, mailed.map(mailOf));
  await postponeReports(
    tx,
    due.map(({ merchant_id, user_id, every, now }) => ({
      ...{ merchant_id, user_id },
      due_at: nextReport(every, new Date(now)),
    })),
  );
  return due.length;
}

function mailOf({ merchant_id, user_id, every, email, business, now }: DueReport) {
  const period = lastReported(every, new Date(now));
  const [from, before] = [instantOf(period.from), instantOf(period.before)];
  return {
    occasion: `report:${merchant_id}:${user_id}:${every}:${from}`,
    recipient: email,
    kind: "report",
    detail: { at: now, business, merchant_id, every, from, before },
  };
}
