import type { Mode } from "@collect/contracts";
import { digestOf, receivedRows } from "@collect/database";
import { asRecorded } from "./collections.ts";

/** Collections as they were recorded, by the time at which accounts received them. The index limits reads to the pages of that time. */
export const received = receivedRows<Mode>(
  `
  select mode, 'collection' as kind, received_at, intake_id, merchant_id, amount,
    ${digestOf("intake_id", "merchant_id", "amount")} as intake,
    ${digestOf("intake_id", "fee", "net")} as fee,
    ${digestOf("intake_id", asRecorded("customer_reference"), "account_number")} as customer,
    ${digestOf("intake_id", "reference", asRecorded("payment_reference"), asRecorded("merchant_reference"))} as match
  from collections where received_at >= $1::timestamptz and received_at < $2::timestamptz`,
  ["intake", "fee", "customer", "match"],
);
