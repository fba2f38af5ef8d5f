import { parseNotification } from "../json.ts";
import type { BankReport, NotificationOutcome, Notifications } from "../port.ts";
import { isSignedByProvidus, type ProvidusCredentials } from "./signature.ts";
import { claimedTransfer } from "./transaction.ts";

/**
 * The reports of Providus. Its signature does not cover the body, and one leak of it would let anyone report money, so a
 * report only names a transfer, about which the bank is asked.
 */
export function createProvidusNotifications(
  credentials: ProvidusCredentials,
  find: (settlementId: string) => Promise<BankReport | undefined>,
): Notifications {
  return {
    path: "/bank/providus",
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
 * Whatever is committed is taken, also if a person has to decide on it. A transfer that is rejected stays out of our settlement
 * account, and the bank repeats what failed at most four times.
 */
const ANSWERS: Record<NotificationOutcome, [code: string, message: string]> = {
  accepted: ["00", "success"],
  quarantined: ["00", "success"],
  unallocated: ["00", "success"],
  duplicate: ["01", "duplicate transaction"],
  rejected: ["02", "rejected transaction"],
  failed: ["03", "system failure, retry"],
};
