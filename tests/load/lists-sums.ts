import type { Bus } from "@collect/bus";
import {
  type Merchant,
  sumCollections,
  sumPaymentLinks,
  sumPayments,
  sumSettlements,
  sumTransfers,
} from "@collect/contracts";
import { before, from, type ListCase, one } from "./lists-cases.ts";

type Sum = (bus: Bus, asked: { merchant: Merchant }) => Promise<unknown>;

const SUMMED: Record<string, Sum> = {
  collections: (bus, asked) => bus.request(sumCollections, asked),
  sessions: (bus, asked) => bus.request(sumPayments, asked),
  transfers: (bus, asked) => bus.request(sumTransfers, asked),
  "payment links": (bus, asked) => bus.request(sumPaymentLinks, asked),
  settlements: (bus, asked) => bus.request(sumSettlements, asked),
};
/** All, which is not counted to the end, a month, and what a search finds. */
const FILTERS = { all: {}, "a month": { from, before }, "a search": { search: "order-2000" } };

/** What the lists come to. */
export const SUMS: ListCase[] = Object.entries(SUMMED).flatMap(([list, sum]) =>
  Object.entries(FILTERS).map(([name, filter]) =>
    one(`sum of ${list}: ${name}`, (bus, merchant) => sum(bus, { merchant, ...filter })),
  ),
);
