import { Button } from "@mantine/core";
import { Link } from "react-router";
import type { RowOf } from "../../api/calls.ts";
import { useMay, useScope } from "../../api/scope.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { type Column, ListPage } from "../../components/list-page.tsx";
import { ListedName } from "../../components/record-link.tsx";
import { Status } from "../../components/status.tsx";
import { When } from "../../components/when.tsx";
import { ReplayRange } from "../events/replay-range.tsx";
import { ResendEvents } from "../events/resend-events.tsx";
import { isUnderWay, stateOf } from "./delivery-state.ts";

type Delivery = RowOf<"deliveries">;

const COLUMNS: Column<Delivery>[] = [
  { header: "Delivery", cell: ({ number }) => number, width: 80, narrow: "name" },
  { header: "Event", cell: ({ event }) => event, narrow: "amount" },
  { header: "Object", cell: ({ reference }) => <span className="mono">{reference}</span> },
  { header: "Status", cell: (delivery) => <Status status={stateOf(delivery)} />, width: 115, narrow: "status" },
  {
    header: "Response",
    cell: ({ last_status, attempts }) => (attempts === 0 ? "–" : (last_status ?? "No response")),
    width: 110,
  },
  { header: "Attempts", cell: ({ attempts }) => attempts, align: "right", width: 90 },
  {
    header: "Next attempt",
    cell: ({ status, next_attempt_at }) => (status === "pending" ? <When at={next_attempt_at} /> : "–"),
  },
  { header: "Created", cell: ({ created_at }) => <When at={created_at} />, narrow: "time" },
  { header: "URL", cell: ({ url }) => <ListedName>{url}</ListedName>, isExtra: true },
  { header: "Event number", cell: ({ sequence }) => sequence, align: "right", isExtra: true },
];

export function DeliveriesPage() {
  const { home } = useScope();
  const mayResend = useMay("resend");
  return (
    <ListPage
      title="Deliveries"
      lead="Every event sent to your webhook URLs, with your server's response. A failed event is tried again for about 72 hours. While your server keeps failing, later events are held without using up attempts, then sent in order."
      path="deliveries"
      columns={COLUMNS}
      keyOf={({ number }) => String(number)}
      linkOf={({ number }) => String(number)}
      isMoving={isUnderWay}
      filters={[
        { kind: "search", label: "Search", placeholder: "Reference or number" },
        {
          kind: "choice",
          name: "status",
          label: "Status",
          options: [
            { value: "failing", label: "Retrying" },
            { value: "pending", label: "Pending" },
            { value: "delivered", label: "Delivered" },
            { value: "exhausted", label: "Failed" },
          ],
        },
        { kind: "span", label: "Created" },
      ]}
      select={{ acts: mayResend && ((deliveries) => <ResendEvents events={deliveries} />) }}
      actions={<ReplayRange />}
      empty={
        <EmptyState
          title="No deliveries yet"
          action={
            <Button component={Link} to={`${home}/developers/webhook`}>
              Set webhook URL
            </Button>
          }
        >
          Once you set a webhook URL, every event is sent to it and each attempt is shown here.
        </EmptyState>
      }
    />
  );
}
