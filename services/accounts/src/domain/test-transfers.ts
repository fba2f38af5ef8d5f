import type { FieldError, Input, receiveTestTransfers } from "@collect/contracts";
import { formatNaira, PAYMENT_MAX_KOBO } from "@collect/money";

export type TestTransfer = Input<typeof receiveTestTransfers>["transfers"][number];

const OLDEST_DAYS = 400;
const DAY_MS = 86_400_000;

/** The fields of these transfers that the test bank cannot have sent. `customers` are the references that have an account. */
export function faultsOf(
  transfers: TestTransfer[],
  { customers, now }: { customers: ReadonlySet<string>; now: Date },
): FieldError[] {
  return transfers.flatMap(({ customer_reference, amount, paid_at }, index) => {
    const errors: FieldError[] = [];
    const fault = (param: string, code: string, message: string) =>
      errors.push({ param: `transfers.${index}.${param}`, code, message });
    if (!customers.has(customer_reference))
      fault("customer_reference", "unknown", `${customer_reference} has no account`);
    errors.push(...faultsOfPaidAt(paid_at, { param: `transfers.${index}.paid_at`, now }));
    if (amount > PAYMENT_MAX_KOBO) fault("amount", "too_big", `must be at most ${formatNaira(PAYMENT_MAX_KOBO)}`);
    return errors;
  });
}

/** Why the test bank cannot have sent a payment at this time. */
export function faultsOfPaidAt(paidAt: string, { param, now }: { param: string; now: Date }): FieldError[] {
  const ageMs = now.getTime() - Date.parse(paidAt);
  if (ageMs < 0) return [{ param, code: "too_late", message: "must not be in the future" }];
  if (ageMs > OLDEST_DAYS * DAY_MS)
    return [{ param, code: "too_early", message: `must be at most ${OLDEST_DAYS} days ago` }];
  return [];
}
