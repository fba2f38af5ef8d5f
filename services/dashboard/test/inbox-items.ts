import type {
  browseCollections,
  browsePayments,
  browseTransfers,
  getVerification,
  RequestContract,
  WireResult,
} from "@collect/contracts";

/** What other services have that waits for a person. */

export const AT = "2026-11-21T09:30:00.123+00:00";
type Listed<Contract extends RequestContract> = WireResult<Contract> extends { data: (infer Row)[] } ? Row : never;

export const collection = (reference: string, given: object = {}): Listed<typeof browseCollections> =>
  Object({
    ...{ reference, amount: 2500.73, payer: { id: "1", name: "ADA OBI" }, paid_at: AT },
    ...{ payment_reference: null, customer_reference: null, ...given },
  });
export const transfer = (
  reference: string,
  given: object = {},
): Listed<typeof browseTransfers> & { metadata: object } =>
  Object({
    ...{ reference, amount: 100, account_name: "Chidi Eze", bank_code: "058", account_number: "0123456789" },
    ...{ status: "failed", failure_reason: "The account is closed.", failure_code: "closed" },
    ...{ narration: "Rent", metadata: { flat: "3" }, created_at: AT, completed_at: AT, ...given },
  });
export const session = (reference: string, status: string, received = 90): Listed<typeof browsePayments> =>
  Object({ reference, status, amount: 100.5, amount_received: received, customer_name: "Ada", created_at: AT });
export const HEALTH = {
  ...{ url: "https://shop.example", unconfirmed_url: null, failing: 0, exhausted: 0, oldest_failing_at: null },
  ...{ last_delivered_at: null, ever_delivered: false, hold: null },
};
export const verification = (state: "returned" | "approved"): WireResult<typeof getVerification> =>
  Object({ state, reason: "The RC number is another company's.", decided_at: AT });
