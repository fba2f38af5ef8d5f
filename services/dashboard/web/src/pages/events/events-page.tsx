import { Button } from "@mantine/core";
import { Link } from "react-router";
import type { RowOf } from "../../api/calls.ts";
import { useMay, useScope } from "../../api/scope.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { type Column, ListPage } from "../../components/list-page.tsx";
import { Money } from "../../components/money.tsx";
import { Status } from "../../components/status.tsx";
import { When } from "../../components/when.tsx";
import { isUnderWay, stateOf } from "../deliveries/delivery-state.ts";
import { ReplayRange } from "./replay-range.tsx";
import { ResendEvents } from "./resend-events.tsx";

type EventRecord = RowOf<"events">;

const COLUMNS: Column<EventRecord>[] = [
  { header: "Number", cell: ({ sequence }) => sequence, width: 90, narrow: "name" },
  { header: "Event", cell: ({ event }) => event },
  { header: "Object", cell: ({ reference }) => <span className="mono">{reference}</span> },
  { header: "Amount", cell: ({ amount }) => <Money naira={amount} />, align: "right", narrow: "amount" },
  {
    header: "Webhook",
    cell: ({ delivery }) => (delivery ? <Status status={stateOf(delivery)} /> : "Not sent"),
    narrow: "status",
  },
  { header: "Recorded", cell: ({ created_at }) => <When at={created_at} />, narrow: "time" },
];

const KINDS = [
  ...["collection.success", "collection.attached", "collection.reversed"],
  ...["transfer.success", "transfer.failed", "transfer.reversed", "webhook.test"],
];

/** The event log: numbered consecutively per merchant and mode, so that a receiver can prove that none is missing. */
export function EventsPage() {
  const { home, mode } = useScope();
  const mayResend = useMay("resend");
  return (
    <ListPage
      title="Events"
      lead={`All events in ${mode} mode, numbered without gaps.`}
      path="events"
      columns={COLUMNS}
      keyOf={({ sequence }) => String(sequence)}
      linkOf={({ sequence }) => String(sequence)}
      isMoving={({ delivery }) => delivery !== null && isUnderWay(delivery)}
      filters={[
        { kind: "search", label: "Search", placeholder: "Reference or number" },
        {
          kind: "choice",
          name: "event",
          label: "Type",
          options: KINDS.map((kind) => ({ value: kind, label: kind })),
        },
        { kind: "span", label: "Recorded" },
      ]}
      select={{ acts: mayResend && ((events) => <ResendEvents events={events} />) }}
      actions={<ReplayRange />}
      empty={
        <EmptyState
          title="No events yet"
          action={
            <Button component={Link} to={`${home}/get-started`}>
              Simulate a payment
            </Button>
          }
        >
          Each collection and transfer creates an event. Events are recorded even when no webhook URL is set.
        </EmptyState>
      }
    />
  );
}
