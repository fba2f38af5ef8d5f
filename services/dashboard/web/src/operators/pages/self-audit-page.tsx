import { Alert, Badge, List as Lines, Text } from "@mantine/core";
import type { Column } from "../../components/list-rows.tsx";
import { Page } from "../../components/page.tsx";
import { When } from "../../components/when.tsx";
import { type Read, useRead } from "../api.ts";
import { List } from "../list.tsx";
import { Silent } from "../silent.tsx";

type Part = Read<"self-audit">["parts"][number];

const COLUMNS: Column<Part>[] = [
  { header: "Part", cell: (part) => <Compared part={part} />, narrow: "name" },
  { header: "Service", cell: ({ service }) => service, narrow: "status", width: 110 },
  { header: "Proven", cell: ({ proven_at }) => <When at={proven_at} />, narrow: "time", width: 130 },
  {
    header: "Result",
    cell: ({ fault }) => <Badge color={fault ? "red" : "green"}>{fault ? "Fails" : "Holds"}</Badge>,
    narrow: "amount",
    width: 90,
  },
];

/** Its name, and below it what it compares, whole. */
function Compared({ part: { name, compares } }: { part: Part }) {
  return (
    <div className="whole">
      {capitalized(name)}
      <Text size="xs" c="dimmed">
        {capitalized(compares)}
      </Text>
    </div>
  );
}

const capitalized = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Whether the services' records of the money agree, as `ops -- audit` says it. */
export default function SelfAuditPage() {
  const read = useRead("self-audit");
  const faults = read.data?.parts.filter(({ fault }) => fault) ?? [];
  return (
    <Page title="Self-audit" lead="Whether the services' records of the money agree.">
      <Silent services={read.data?.silent ?? []} />
      {faults.map(({ service, name, fault, differences }) => (
        <Alert key={`${service} ${name}`} color="red" title={`${service}: ${name} ${fault}`}>
          {differences.length > 0 && (
            <Lines size="sm">
              {differences.map(({ what, where }) => (
                <Lines.Item key={`${where} ${what}`}>
                  {where}: {what}
                </Lines.Item>
              ))}
            </Lines>
          )}
        </Alert>
      ))}
      <List
        title="Self-audit"
        read={read}
        rowsOf={({ parts }) => parts}
        columns={COLUMNS}
        keyOf={({ service, name }) => `${service} ${name}`}
        none="No part was read."
      />
    </Page>
  );
}
