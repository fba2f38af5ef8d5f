import { Text } from "@mantine/core";
import type { RowOf } from "../../api/calls.ts";
import { useScope } from "../../api/scope.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { type Column, ListPage } from "../../components/list-page.tsx";
import { When } from "../../components/when.tsx";

type ApiCall = RowOf<"requests">;

const COLUMNS: Column<ApiCall>[] = [
  { header: "When", cell: ({ at }) => <When at={at} />, width: 120 },
  { header: "Call", cell: ({ method, path }) => <span className="mono">{`${method} ${path}`}</span> },
  { header: "Answer", cell: (call) => <Answer {...call} /> },
  { header: "Took", cell: ({ duration_ms }) => `${duration_ms} ms`, align: "right" },
  { header: "Key", cell: ({ key }) => <span className="mono">{key}</span> },
  { header: "Request id", cell: ({ request_id }) => <span className="mono">{request_id}</span> },
];

function Answer({ status, code }: ApiCall) {
  const isGood = status < 400;
  return (
    <Text size="sm" span c={isGood ? undefined : "var(--mantine-color-error)"}>
      {status} {code}
    </Text>
  );
}

/** What your servers asked of the API in the last seven days. Nothing secret is kept of it. */
export function RequestsPage() {
  const { me, mode } = useScope();
  return (
    <ListPage
      title="API requests"
      lead="The calls of your servers in the last seven days, without bodies, query strings or whole keys."
      path="requests"
      columns={COLUMNS}
      keyOf={({ id }) => id}
      filters={[
        { kind: "search", label: "Find", placeholder: "Request id, or how a path begins" },
        {
          kind: "choice",
          name: "outcome",
          label: "Answer",
          options: [
            { value: "all", label: "All" },
            { value: "ok", label: "Good" },
            { value: "client_error", label: "Refused (4xx)" },
            { value: "server_error", label: "Failed (5xx)" },
          ],
        },
        { kind: "span", label: "Between" },
      ]}
      empty={
        <EmptyState
          title="No calls yet"
          command={`curl ${me.urls.api}/balance \\\n  -H 'Authorization: Bearer sk_${mode}_…'`}
        >
          Make a first call with your secret key; it appears here within seconds.
        </EmptyState>
      }
    />
  );
}
