import { Anchor, Button, Group, SegmentedControl, Skeleton, Stack, Table, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { Link } from "react-router";
import type { RowOf } from "../../../api/calls.ts";
import { useReadOn } from "../../../api/hooks.ts";
import { useMay, useScope } from "../../../api/scope.ts";
import { Failure } from "../../../components/failure.tsx";
import { Money } from "../../../components/money.tsx";
import { Name } from "../../../components/record-link.tsx";
import { SCROLLED_BY_KEYS } from "../../../components/scrolled-by-keys.ts";
import type { Batch } from "./batch-words.ts";

type Line = RowOf<"transfer-batches/:reference/lines">;
const SHOWN = ["all", "faulty", "refused"] as const;
type Only = (typeof SHOWN)[number];

/** The lines of a file: those with faults first of all. */
export function BatchLines({ batch }: { batch: Batch }) {
  const { reference, faulty, refused, checked, ordered, state } = batch;
  const [chosen, setChosen] = useState<Only>();
  const only = chosen ?? (faulty > 0 && state === "checked" ? "faulty" : "all");
  const read = useReadOn("transfer-batches/:reference/lines", {
    ...{ reference, limit: 100 },
    ...(only !== "all" && { only }),
  });
  const { refetch } = read;
  const progress = `${state} ${checked} ${ordered} ${refused}`;
  useEffect(() => {
    if (progress) void refetch();
  }, [progress, refetch]);
  const lines = read.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        {faulty + refused > 0 ? (
          <SegmentedControl
            aria-label="Lines"
            value={only}
            onChange={(value) => setChosen(SHOWN.find((known) => known === value))}
            data={[
              { value: "all", label: "All lines" },
              ...(faulty > 0 ? [{ value: "faulty", label: `With faults (${faulty})` }] : []),
              ...(refused > 0 ? [{ value: "refused", label: `Refused (${refused})` }] : []),
            ]}
          />
        ) : (
          <span />
        )}
        <Download reference={reference} only={only} />
      </Group>
      {read.error && <Failure error={read.error} onRetry={() => void refetch()} />}
      {read.isPending ? <Skeleton height={160} /> : <Lines lines={lines} />}
      {read.hasNextPage && (
        <Group>
          <Button variant="default" loading={read.isFetchingNextPage} onClick={() => void read.fetchNextPage()}>
            Load more lines
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function Download({ reference, only }: { reference: string; only: Only }) {
  const { api } = useScope();
  if (!useMay("exports")) return null;
  return (
    <Button
      component="a"
      href={`${api}/transfer-batches/${encodeURIComponent(reference)}/lines.csv${only === "all" ? "" : `?only=${only}`}`}
      download
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
    >
      CSV
    </Button>
  );
}

function Lines({ lines }: { lines: Line[] }) {
  return (
    <Table.ScrollContainer minWidth={340} className="rows" scrollAreaProps={SCROLLED_BY_KEYS}>
      <Table verticalSpacing={6} horizontalSpacing={6} aria-label="Lines of the file">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col" w={52}>
              Line
            </Table.Th>
            <Table.Th scope="col" ta="right">
              Amount
            </Table.Th>
            <Table.Th scope="col">To</Table.Th>
            <Table.Th scope="col">Result</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map((line) => (
            <LineRow key={line.line} line={line} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function LineRow({ line }: { line: Line }) {
  return (
    <Table.Tr>
      <Table.Td>{line.line}</Table.Td>
      <Table.Td ta="right">{line.amount === null ? "–" : <Money naira={line.amount} />}</Table.Td>
      <Table.Td className="wrap-anywhere">
        {line.account_name !== null && <Name>{line.account_name}</Name>}
        <Text size="xs" c="dimmed">
          <span className="mono">{line.account_number}</span>, {line.bank_name ?? `bank ${line.bank_code}`}
        </Text>
      </Table.Td>
      <Table.Td className="wrap-anywhere" style={{ whiteSpace: "normal" }}>
        <Result line={line} />
      </Table.Td>
    </Table.Tr>
  );
}

function Result({ line: { faults, outcome, refusal, transfer, account_name } }: { line: Line }) {
  const { home } = useScope();
  if (faults.length > 0) return faults.map(({ param, code, message }) => <div key={`${param} ${code}`}>{message}</div>);
  if (outcome === "refused") return <>Refused: {refusal}</>;
  if (transfer)
    return (
      <Anchor component={Link} to={`${home}/transfers/${encodeURIComponent(transfer)}`}>
        View transfer
      </Anchor>
    );
  return account_name === null ? <>Not checked yet</> : <>Checked</>;
}
