import { Alert, Anchor, Group, List, Stack, Text } from "@mantine/core";
import { useParams } from "react-router";
import type { ReadResponse } from "../../api/calls.ts";
import { useScope } from "../../api/scope.ts";
import { Command, Copy } from "../../components/copy.tsx";
import { Facts } from "../../components/facts.tsx";
import { Payload } from "../../components/payload.tsx";
import { RecordLink, Reference } from "../../components/record-link.tsx";
import { RecordPanel } from "../../components/record-panel.tsx";
import { RequestsAbout } from "../../components/requests-about.tsx";
import { Section } from "../../components/section.tsx";
import { Status } from "../../components/status.tsx";
import { When } from "../../components/when.tsx";
import { isUnderWay, stateOf } from "../deliveries/delivery-state.ts";
import { CopyAsCurl } from "./copy-as-curl.tsx";

type Trace = ReadResponse<"requests/:id">;
type Call = Trace["call"];

/** One API request: why it was refused, what was sent, what it is about, and the events and deliveries that followed. */
export function RequestPanel() {
  const { id = "" } = useParams();
  return (
    <RecordPanel
      title="API request"
      list="developers/requests"
      path="requests/:id"
      fields={{ id }}
      isMoving={({ events }) => events?.some(({ delivery }) => delivery && isUnderWay(delivery)) ?? false}
    >
      {(trace) => <Content {...trace} />}
    </RecordPanel>
  );
}

function Content({ call, record, events }: Trace) {
  const { mode } = useScope();
  const { method, path, query } = call;
  return (
    <Stack>
      <Text className="mono wrap-anywhere" fw={600}>{`${method} ${path}`}</Text>
      <Facts
        facts={[
          ["Response", `${call.status}${call.code ? ` ${call.code}` : ""}`],
          ["Duration", `${call.duration_ms} ms`],
          ["Date", <When key="date" at={call.at} exact />],
          ["Key", <Reference key="key">{call.key}</Reference>],
          ["Request ID", <Copy key="id" value={call.request_id} what="request ID" />],
          [
            "About",
            record && (
              <RecordLink key="about" to={[record.kind, record.reference]}>
                <Reference>{record.reference}</Reference>
              </RecordLink>
            ),
          ],
          ["Requests about it", record && <RequestsAbout key="others" reference={record.reference} />],
          [
            "Requests to this path",
            <RecordLink key="path" to={["developers", "requests"]} search={{ search: path }}>
              Last 7 days
            </RecordLink>,
          ],
        ]}
      />
      <Problem call={call} />
      <CopyAsCurl call={call} />
      <Section title="What you sent">
        {mode === "live" && <Text size="sm">Query strings and bodies are kept in test mode only.</Text>}
        {mode === "test" && query === null && call.body === null && (
          <Text size="sm">Neither a query string nor a body.</Text>
        )}
        {query !== null && <Command text={`?${query}`} what="query string" />}
        {call.body && call.body.text !== null && <Payload text={call.body.text} what="body" />}
      </Section>
      {record && EVENTFUL.has(record.kind) && (
        <Section title="What followed">
          <Followed events={events} />
        </Section>
      )}
    </Stack>
  );
}

/** The records that events are about. */
const EVENTFUL = new Set(["sessions", "collections", "transfers"]);

function Problem({ call: { code, problem } }: { call: Call }) {
  const { me } = useScope();
  if (!code) return null;
  return (
    <Alert color="orange" title={problem?.detail ?? code}>
      <Stack gap="xs">
        {problem && problem.errors.length > 0 && (
          <List size="sm">
            {problem.errors.map(({ param, message }) => (
              <List.Item key={param}>
                <code>{param}</code> {message}
              </List.Item>
            ))}
          </List>
        )}
        <Text size="sm">
          <Anchor inherit href={new URL(`/docs/errors/${code}`, me.urls.api).href} target="_blank" rel="noreferrer">
            What causes {code}, and what to do
          </Anchor>
        </Text>
      </Stack>
    </Alert>
  );
}

function Followed({ events }: Pick<Trace, "events">) {
  if (!events) return <Text size="sm">Temporarily unavailable. No events are lost.</Text>;
  if (events.length === 0) return <Text size="sm">No event about it has been recorded.</Text>;
  return events.map(({ sequence, event, delivery }) => (
    <Stack key={sequence} gap="xs">
      <Text size="sm">
        <RecordLink to={["developers", "events", String(sequence)]}>Event {sequence}</RecordLink> {event}
      </Text>
      {delivery ? (
        <Group gap="xs">
          <Text size="sm">
            <RecordLink to={["developers", "deliveries", String(delivery.number)]}>
              Delivery {delivery.number}
            </RecordLink>
          </Text>
          <Status status={stateOf(delivery)} />
        </Group>
      ) : (
        <Text size="sm">Not sent: no webhook URL was set.</Text>
      )}
    </Stack>
  ));
}
