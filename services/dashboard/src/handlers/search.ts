import { searchCustomers, searchPayments } from "@collect/contracts";
import { unlessRefused } from "../domain/unless-refused.ts";
import type { Call } from "../http/call.ts";

/** What a text names, from every service that owns something with a name. Each has its own deadline; the others do not wait longer. */
export async function search({ request, member: { merchant }, input: { text } }: Call<{ text: string }>) {
  const [payments, accounts] = await Promise.all([
    unlessRefused(request(searchPayments, { merchant, text })),
    unlessRefused(request(searchCustomers, { merchant, text })),
  ]);
  return {
    collections: payments?.collections ?? null,
    payers: payments?.payers ?? null,
    customers: accounts?.customers ?? null,
    sessions: payments?.sessions ?? null,
    transfers: payments?.transfers ?? null,
    links: payments?.links ?? null,
  };
}
