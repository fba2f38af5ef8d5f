import { Stack, Text, Title } from "@mantine/core";
import { Link, useParams } from "react-router";
import type { ReadResponse } from "../../api/calls.ts";
import { useScope } from "../../api/scope.ts";
import { Facts } from "../../components/facts.tsx";
import { Money } from "../../components/money.tsx";
import { Payload } from "../../components/payload.tsx";
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
  const [kind] = event.event.split(".");
  const record =
    kind === "collection"
      ? `collections/${event.reference}`
      : kind === "transfer"
        ? `transfers/${event.reference}`
        : null;
  const about = <span className="mono">{event.reference}</span>;
  return (
    <Stack>
      <Facts
        facts={[
          ["Type", event.event],
          [
            "Object",
            record ? (
              <Link key="about" to={`${home}/${record}`}>
                {about}
              </Link>
            ) : (
              about
            ),
          ],
          ["API requests", <RequestsAbout key="requests" reference={event.reference} />],
          ["Amount", <Money key="amount" naira={event.amount} />],
          ["Recorded", <When key="recorded" at={event.created_at} exact />],
        ]}
      />
      <Replay sequence={event.sequence} />
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
