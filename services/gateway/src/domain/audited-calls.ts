import { getCustomerAccount } from "@collect/contracts";
import type { Endpoint } from "./endpoint.ts";

type Fields = Record<string, unknown>;

/** What the audit log says about calls that matter, never secrets: of an account only the last four digits. */
export const AUDITED = {
  customerAccount: { action: "customer.issued", detail: only("customer_reference"), liveOnly: true },
  customerOfPayment: {
    action: "customer.issued",
    detail: only("customer_reference", "reference"),
    liveOnly: true,
    ifNew: getCustomerAccount,
  },
  eventReplayed: { action: "event.replayed", detail: only("id") },
  eventsReplayed: { action: "replay.started", detail: only("after_sequence", "up_to_sequence") },
  transfer: {
    action: "transfer.made",
    detail: (fields) => ({
      ...only("reference", "amount", "bank_code")(fields),
      account: `…${String(fields.account_number).slice(-4)}`,
    }),
  },
} satisfies Record<string, Endpoint["audit"]>;

/** Picks these fields, omitting those that were not sent. */
function only(...names: string[]): (fields: Fields) => Fields {
  return (fields) => Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]));
}
