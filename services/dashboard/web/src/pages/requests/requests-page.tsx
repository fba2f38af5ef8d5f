import { Text } from "@mantine/core";
import type { RowOf } from "../../api/calls.ts";
import { useScope } from "../../api/scope.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { type Column, ListPage } from "../../components/list-page.tsx";
import { When } from "../../components/when.tsx";

type ApiCall = RowOf<"requests">;

const COLUMNS: Column<ApiCall>[] = [
  { header: "Date", cell: ({ at }) => <When at={at} />, width: 120, narrow: "time" },
  {
    header: "Request",
    cell: ({ method, path }) => <span className="mono">{`${method} ${path}`}</span>,
    narrow: "name",
  },
  { header: "Response", cell: ({ status, code }) => <Answer {...{ status, code }} />, width: 170, narrow: "status" },
  { header: "Duration", cell: ({ duration_ms }) => `${duration_ms} ms`, align: "right", width: 90, narrow: "amount" },
  { header: "About", cell: ({ made }) => (made ? <span className="mono">{made}</span> : "–") },
  { header: "Key", cell: ({ key }) => <span className="mono">{key}</span>, width: 120 },
  { header: "Request ID", cell: ({ request_id }) => <span className="mono">{request_id}</span>, isExtra: true },
];

function Answer({ status, code }: Pick<ApiCall, "status" | "code">) {
  const isSuccess = status < 400;
  return (
    <Text size="sm" span c={isSuccess ? undefined : "var(--mantine-color-error)"}>
      {status} {code}
    </Text>
  );
}

const LEAD = {
  test: "Your servers' API requests from the last seven days, with what they sent, without full keys.",
  live: "Your servers' API requests from the last seven days, without bodies, query strings or full keys.",
} as const;

/** The merchant's API requests of the last seven days. They are stored without secrets. */
export function RequestsPage() {
  const { me, mode } = useScope();
  return (
    <ListPage
      title="API requests"
      lead={LEAD[mode]}
      path="requests"
      columns={COLUMNS}
      keyOf={({ id }) => id}
      linkOf={({ id }) => id}
      filters={[
        { kind: "search", label: "Search", placeholder: "Request ID, reference or path" },
        {
          kind: "choice",
          name: "outcome",
          label: "Response",
          options: [
            { value: "ok", label: "Succeeded (2xx)" },
            { value: "client_error", label: "Client errors (4xx)" },
            { value: "server_error", label: "Server errors (5xx)" },
          ],
        },
        { kind: "span", label: "Date" },
      ]}
      empty={
        <EmptyState
          title="No requests yet"
          command={`curl ${me.urls.api}/balance \\\n  -H 'Authorization: Bearer sk_${mode}_…'`}
        >
          Make your first request with your secret key. It appears here within seconds.
        </EmptyState>
      }
    />
  );
}
