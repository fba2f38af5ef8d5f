import { listAttachable, searchCustomers, type WireResult } from "@collect/contracts";
import { unlessRefused } from "../domain/unless-refused.ts";
import type { Call } from "../http/call.ts";

type Customers = WireResult<typeof searchCustomers>["customers"];

/** As many names as a sender has: the bank may report them in any order. */
const NAMES_MAX = 3;
const CUSTOMERS_MAX = 6;

/** Whom a collection may be for: sessions that payments ranks, and customers who are called what is typed, or like the payer. */
export async function findAttachable(call: Call<{ reference: string; text?: string | undefined }>) {
  const { request, member, input } = call;
  const { merchant } = member;
  const { reference, text } = input;
  const { sessions, payer_name } = await request(listAttachable, { merchant, reference, ...(text && { text }) });
  const names = payer_name.split(/[^\p{L}]+/u).filter((name) => name.length > 2);
  const texts = text ? [text] : names.slice(0, NAMES_MAX);
  const found = await Promise.all(texts.map((one) => unlessRefused(request(searchCustomers, { merchant, text: one }))));
  return { sessions, customers: found.includes(null) ? null : mostNamed(found.flatMap((one) => one?.customers ?? [])) };
}

/** Each once: first those who have most of the names. */
function mostNamed(customers: Customers): Customers {
  const byReference = Map.groupBy(customers, ({ customer_reference }) => customer_reference);
  return [...byReference.values()]
    .toSorted((one, other) => other.length - one.length)
    .flatMap(([customer]) => customer ?? [])
    .slice(0, CUSTOMERS_MAX);
}
