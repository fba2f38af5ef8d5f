import type { Mode } from "@collect/contracts";
import { digestOf, receivedRows } from "@collect/database";

const KEY = "collection.success:";
const text = (field: string) => `body.data ->> '${field}'`;
/** The body's naira amount in kobo: exact, and never an error, whatever the body contains. */
const kobo = (field: string) =>
  `case jsonb_typeof(body.data -> '${field}') when 'number' then trim_scale((body.data ->> '${field}')::numeric * 100) end`;

/**
 * Collections by when accounts received them: only their events have such a time. Their content is read from the stored body
 * that is sent, not from the other columns. The index limits the read to the pages of that time; a condition on the kind would
 * lead a plan made for a small table to another index.
 */
export const received = receivedRows<Mode>(
  `
  select e.mode, 'collection' as kind, e.received_at, e.intake_id, e.merchant_id, e.amount_kobo as amount,
    ${digestOf("e.intake_id", "e.merchant_id", kobo("amount"))} as intake,
    ${digestOf("e.intake_id", kobo("fee"), kobo("net"))} as fee,
    ${digestOf("e.intake_id", text("customer_reference"), text("account_number"))} as customer,
    ${digestOf("e.intake_id", text("reference"), text("payment_reference"), text("merchant_reference"))} as match,
    ${digestOf("e.intake_id", "e.reference", "e.sequence", "e.delivery_number")} as numbers,
    ${digestOf("e.intake_id", "encode(sha256(e.body), 'hex')")} as body
  from (
    select *, substr(key, ${KEY.length + 1}) as intake_id from events
    where received_at >= $1::timestamptz and received_at < $2::timestamptz
  ) as e
  cross join lateral (select data_of_event(e.body) as data offset 0) as body`,
  ["intake", "fee", "customer", "match", "numbers", "body"],
);
