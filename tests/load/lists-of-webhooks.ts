import { browseDeliveries, browseEvents } from "@collect/contracts";
import { at, before, cursor, DEEP, from, type ListCase, listed } from "./lists-cases.ts";
import { ROWS } from "./lists-fill.ts";

/** The end of the month. */
const WITHIN = cursor(at(ROWS * 0.41), 0);

/** The logs of webhooks with each of their filters. */
export const WEBHOOK_LISTS: ListCase[] = [
  ...listed(
    "events",
    cursor(DEEP / 2),
    (filter) => (bus, merchant, after) => bus.request(browseEvents, { merchant, after, ...filter }),
    {
      all: {},
      "most are of the kind": { event: "collection.success" },
      "few are of the kind": { event: "transfer.reversed" },
      "none is of the kind": { event: "test" },
      "search a reference": { search: "col_200002" },
      "search a number": { search: "77" },
      "search nothing there": { search: "nothing" },
    },
  ),
  ...listed(
    "deliveries",
    cursor(DEEP),
    (filter) => (bus, merchant, after) => bus.request(browseDeliveries, { merchant, after, ...filter }),
    {
      all: {},
      "most have the status": { status: "delivered" },
      "few have the status": { status: "superseded" },
      "none has the status": { status: "pending", event: "transfer.success" },
      failing: { status: "failing" },
      "few are of the kind": { event: "transfer.reversed" },
      "most are of the kind": { event: "collection.success" },
      "a kind and a status": { event: "collection.success", status: "exhausted" },
      "search a reference": { search: "col_200002" },
      "search a number": { search: "200002" },
      "search nothing there": { search: "nothing" },
    },
  ),
  ...listed(
    "events",
    WITHIN,
    (filter) => (bus, merchant, after) => bus.request(browseEvents, { merchant, after, from, ...filter }),
    { "a month": { before }, "a month, few are of the kind": { before, event: "transfer.reversed" } },
  ),
  ...listed(
    "deliveries",
    WITHIN,
    (filter) => (bus, merchant, after) => bus.request(browseDeliveries, { merchant, after, from, ...filter }),
    {
      "a month": { before },
      "a month, few have the status": { before, status: "exhausted" },
      "since a month, few are of the kind": { event: "transfer.reversed" },
    },
  ),
];
