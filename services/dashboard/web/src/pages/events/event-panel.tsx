import { Stack, Text, Title } from "@mantine/core";
import { Link, useParams } from "react-router";
import type { ReadResponse } from "../../api/calls.ts";
import { useScope } from "../../api/scope.ts";
import { EventObject } from "../../components/event-links.tsx";
import { Facts } from "../../components/facts.tsx";
import { Payload } from "../../components/payload.tsx";
import { RecordHead } from "../../components/record-head.tsx";
import { RecordPanel } from "../../components/record-panel.tsx";
import { RequestsAbout } from "../../components/requests-about.tsx";
import { Status } from "../../components/status.tsx";
import { When } from "../../components/when.tsx";
import { Replay } from "../deliveries/delivery-panel.tsx";
import { isUnderWay, stateOf } from "../deliveries/delivery-state.ts";

/** One event with its raw body and its deliveries. */
export function EventPanel() {
  const { sequence = "" } = useParams();
  return (
    <RecordPanel
      title={`Event ${sequence}`}
      list="developers/events"
      path="events/:sequence"
      fields={{ sequence }}
      isMoving={({ deliveries }) => deliveries.some(isUnderWay)}
    >
      {(record) => <Content {...record} />}
    </RecordPanel>
  );
}

function Content({ event, body, deliveries }: ReadResponse<"events/:sequence">) {
  const { home } = useScope();
  const newest = deliveries.find(({ status }) => status !== "superseded") ?? deliveries[0];
  return (
    <Stack>
      <RecordHead
        amount={event.amount}
        status={newest && <Status status={stateOf(newest)} />}
        who={event.event}
        at={<When at={event.created_at} />}
        actions={<Replay sequence={event.sequence} />}
      />
      <Facts
        facts={[
          ["Object", <EventObject key="about" event={event} />],
          ["API requests", <RequestsAbout key="requests" reference={event.reference} />],
          ["Recorded", <When key="recorded" at={event.created_at} exact />],
        ]}
      />
      <Title order={3} size="h5">
        Deliveries
      </Title>
      {deliveries.length === 0 && (
        <Text size="sm">No webhook URL was set when this event was recorded. You can send it now.</Text>
      )}
      {deliveries.map((delivery) => (
        <Text key={delivery.number} size="sm" className="wrap-anywhere">
          <Link to={`${home}/developers/deliveries/${delivery.number}`}>Delivery {delivery.number}</Link> to{" "}
          {delivery.url} <Status status={stateOf(delivery)} />
        </Text>
      ))}
      <Title order={3} size="h5">
        Body
      </Title>
      <Payload text={body} what="body" />
    </Stack>
  );
}
