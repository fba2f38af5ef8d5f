import type { DoorResponse } from "../door.ts";
import type { Books, Credit } from "./books.ts";
import { notificationOf } from "./credits.ts";
import type { Notified, Notifier, Sending } from "./notifier.ts";
import type { TimeForm } from "./times.ts";

/** How a transfer is reported: fields that differ from the truth, and the form of its time. */
export type Reporting = Sending & { claims: Record<string, unknown>; timeForm: TimeForm | undefined };
export type Report = { transfer: Credit; answers: DoorResponse[] };
export type Reports = ReturnType<typeof createReports>;

const KEPT = 1_000;

/** Reports transfers, and keeps what the door answered. */
export function createReports({ books, notifier }: { books: Books; notifier: Notifier }) {
  const answers = new Map<string, DoorResponse[]>();

  /** A transfer that was settled stays so, whatever the door answers later. */
  function settle({ settlementId }: Credit, state: Notified["state"]): void {
    const credit = books.credits.get(settlementId);
    if (credit && credit.state !== "settled" && credit.state !== state) books.credits.put({ ...credit, state });
  }

  function keep({ settlementId }: Credit, given: DoorResponse[]): void {
    answers.set(settlementId, given);
    for (const oldest of answers.keys()) {
      if (answers.size <= KEPT) return;
      answers.delete(oldest);
    }
  }

  return {
    /** The bank reports nothing about an account that it has blacklisted. */
    async report(credit: Credit, { claims, timeForm, ...sending }: Reporting): Promise<Report> {
      const isSilent = books.accounts.get(credit.accountNumber)?.isBlacklisted ?? false;
      const body = { ...notificationOf(credit, timeForm), ...claims };
      const { answers: given } = await notifier.notify(
        body,
        { ...sending, times: isSilent ? 0 : sending.times },
        (state) => settle(credit, state),
      );
      keep(credit, given);
      return reportOf(credit);
    },

    /** Reports money that is not in the books, with the right signature. */
    forge: (body: object) => notifier.notify(body, { times: 1, delayMs: 0 }, () => {}),

    newest: (): Report[] => books.credits.newest().map(reportOf),
  };

  function reportOf({ settlementId }: Credit): Report {
    const transfer = books.credits.get(settlementId);
    if (!transfer) throw new Error("a reported transfer is not in the books");
    return { transfer, answers: answers.get(settlementId) ?? [] };
  }
}
