import {
  browseApiCalls,
  browseCollections,
  browseCustomerAccounts,
  browseDeliveries,
  browseEvents,
  browsePayers,
  browsePaymentLinks,
  browsePayments,
  browseSettlements,
  browseTransfers,
  sumCollections,
  sumPaymentLinks,
  sumPayments,
  sumSettlements,
  sumTransfers,
} from "@collect/contracts";
import { type Declaration, list, read } from "./declaration.ts";

/** The lists, and what each comes to where its rows have amounts. They take the same filters. */
export const LISTS = {
  collections: list(browseCollections),
  "collections/totals": read(sumCollections),
  sessions: list(browsePayments),
  "sessions/totals": read(sumPayments),
  links: list(browsePaymentLinks),
  "links/totals": read(sumPaymentLinks),
  transfers: list(browseTransfers),
  "transfers/totals": read(sumTransfers),
  settlements: list(browseSettlements),
  "settlements/totals": read(sumSettlements),
  customers: list(browseCustomerAccounts),
  payers: list(browsePayers),
  events: list(browseEvents),
  deliveries: list(browseDeliveries, "logs"),
  requests: list(browseApiCalls, "logs"),
} satisfies Record<string, Declaration>;
