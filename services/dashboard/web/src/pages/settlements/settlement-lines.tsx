import { Button, Group, Skeleton, Table, Text } from "@mantine/core";
import type { RowOf } from "../../api/calls.ts";
import { useReadOn } from "../../api/hooks.ts";
import { useMay } from "../../api/scope.ts";
import { Failure } from "../../components/failure.tsx";
import { ExportMenu } from "../../components/list-export.tsx";
import { Money } from "../../components/money.tsx";
import { RecordLink, Reference } from "../../components/record-link.tsx";
import { SCROLLED_BY_KEYS } from "../../components/scrolled-by-keys.ts";
import { When } from "../../components/when.tsx";

/** An entry of the collected balance, with its collection if there is one and payments responded. */
type Line = RowOf<"settlements/:reference/lines">;

/** The lines of a settlement, which sum to its amount. */
export function SettlementLines({ reference, total }: { reference: string; total: number }) {
  const mayExport = useMay("exports");
  const read = useReadOn("settlements/:reference/lines", { reference });
  const lines = read.data?.pages.flatMap(({ data }) => data) ?? [];
  if (read.isPending) return <Skeleton height={120} />;
  return (
    <>
      {read.error && <Failure error={read.error} onRetry={() => void read.refetch()} />}
      <Table.ScrollContainer minWidth={520} className="rows" scrollAreaProps={SCROLLED_BY_KEYS}>
        <Table verticalSpacing={6} horizontalSpacing={6} aria-label="Settlement lines">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">For</Table.Th>
              <Table.Th scope="col" ta="right">
                Settled
              </Table.Th>
              <Table.Th scope="col" ta="right">
                Received
              </Table.Th>
              <Table.Th scope="col" ta="right">
                Fee
              </Table.Th>
              <Table.Th scope="col">Recorded</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {lines.map((line) => (
              <LineRow key={line.version} line={line} />
            ))}
          </Table.Tbody>
          <Table.Tfoot>
            <Sum lines={lines} total={total} isAll={!read.hasNextPage} />
          </Table.Tfoot>
        </Table>
      </Table.ScrollContainer>
      <Group justify="space-between">
        {read.hasNextPage ? (
          <Button variant="default" loading={read.isFetchingNextPage} onClick={() => void read.fetchNextPage()}>
            Load more lines
          </Button>
        ) : (
          <Text size="sm">All lines are shown.</Text>
        )}
        {mayExport && (
          <ExportMenu path={`settlements/${encodeURIComponent(reference)}/lines`} filters={{}} label="Download" />
        )}
      </Group>
    </>
  );
}

function LineRow({ line }: { line: Line }) {
  return (
    <Table.Tr>
      <Table.Td>
        <Subject collection={line.collection} kind={line.kind} />
      </Table.Td>
      <Table.Td ta="right">
        <Money naira={line.amount} />
      </Table.Td>
      <Table.Td ta="right">
        <Money naira={line.gross} />
      </Table.Td>
      <Table.Td ta="right">
        <Money naira={line.fee} />
      </Table.Td>
      <Table.Td>
        <When at={line.recorded_at} />
      </Table.Td>
    </Table.Tr>
  );
}

/** An allocation is a collection that was credited later. */
const isCollection = (kind: string) => kind === "collection" || kind === "allocation";

function Subject({ collection, kind }: Pick<Line, "collection" | "kind">) {
  if (kind === "cover") return "Moved back to cover what the bank took";
  if (!collection) return isCollection(kind) ? "Collection (temporarily unavailable)" : kind;
  return (
    <>
      {kind.endsWith("_reversal") && "Taken back by the bank: "}
      <RecordLink to={["collections", collection.reference]}>
        <Reference>{collection.reference}</Reference>
      </RecordLink>
    </>
  );
}

/** Summed in kobo, because naira with decimals do not add up in binary. */
function Sum({ lines, total, isAll }: { lines: Line[]; total: number; isAll: boolean }) {
  const sumOf = (of: "amount" | "gross" | "fee") =>
    lines.reduce((sum, line) => sum + Math.round(line[of] * 100), 0) / 100;
  return (
    <Table.Tr>
      <Table.Th scope="row">
        {isAll ? "Total" : `Total of these ${lines.length} lines, out of `}
        {!isAll && <Money naira={total} />}
      </Table.Th>
      <Table.Td ta="right" fw={600}>
        <Money naira={sumOf("amount")} />
      </Table.Td>
      <Table.Td ta="right">
        <Money naira={sumOf("gross")} />
      </Table.Td>
      <Table.Td ta="right">
        <Money naira={sumOf("fee")} />
      </Table.Td>
      <Table.Td />
    </Table.Tr>
  );
}
