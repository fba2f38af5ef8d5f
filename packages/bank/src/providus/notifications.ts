import { parseNotification } from "../json.ts";
import type { BankReport, NotificationOutcome, Notifications } from "../port.ts";
import { isSignedByProvidus, type ProvidusCredentials } from "./signature.ts";
import { claimedTransfer } from "./transaction.ts";

export type ProvidusNotifications = Omit<Notifications, "parse"> & { parse(body: Uint8Array): BankReport };

/**
 * The reports of Providus. Its signature does not cover the body, and one leak of it would let anyone report money, so a
 * report only names a transfer, about which the bank is asked.
 */
export function createProvidusNotifications(
  credentials: ProvidusCredentials,
  find: (settlementId: string) => Promise<BankReport | undefined>,
): ProvidusNotifications {
  return {
    path: "/bank/providus",
    reports: ["credit"],
    authenticate: ({ headers }) => isSignedByProvidus(headers, credentials),
    parse: (body) => claimedTransfer(parseNotification(body)),
    confirm: ({ id }) => find(id),
    answer(outcome, report) {
      const [responseCode, responseMessage] = ANSWERS[outcome];
      const sessionId = report?.sessionId ?? "";
      return { status: 200, body: { requestSuccessful: true, sessionId, responseMessage, responseCode } };
    },
  };
}

/**
 * Whatever is committed is taken, also if a person has to decide on it. Nothing is answered with 02, "rejected transaction": it would
 * keep a customer's money out of our settlement account, perhaps because of a secret of ours that is wrong. A forger gains nothing
 * from being asked to try again. The bank repeats what failed at most four times, and then keeps it until it is asked to repush it.
 */
const ANSWERS: Record<NotificationOutcome, [code: string, message: string]> = {
  accepted: ["00", "success"],
  quarantined: ["00", "success"],
  unallocated: ["00", "success"],
  duplicate: ["01", "duplicate transaction"],
  rejected: ["03", "system failure, retry"],
  failed: ["03", "system failure, retry"],
};
