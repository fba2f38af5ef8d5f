import { Button, Group, NativeSelect, Skeleton, Table, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useSearchParams } from "react-router";
import type { ReadResponse } from "../../api/calls.ts";
import { queryOf } from "../../api/client.ts";
import { useRead } from "../../api/hooks.ts";
import { useMay, useScope } from "../../api/scope.ts";
import { Failure } from "../../components/failure.tsx";
import { ExportMenu } from "../../components/list-export.tsx";
import { Money } from "../../components/money.tsx";
import { Page } from "../../components/page.tsx";
import { SectionCard } from "../../components/section-card.tsx";
import { monthsUntil } from "./months.ts";

/** A month's statement in sums, and its lines and its journal as files. */
export function StatementsPage() {
  const { mode } = useScope();
  // A test clock that is ahead is in a month of its own.
  const clock = useRead("test-clock", {}, { enabled: mode === "test" });
  const months = monthsUntil(clock.data?.now ?? Date.now());
  const [params, setParams] = useSearchParams();
  const month = params.get("month") ?? months[0]?.value ?? "";
  const totals = useRead("statement/summary", { month });
  const options = months.some(({ value }) => value === month) ? months : [{ value: month, label: month }, ...months];
  return (
    <Page title="Statements" lead="Money in, money out and balances of each month, in Lagos time.">
      <NativeSelect
        label="Month"
        w={220}
        data={options}
        value={month}
        onChange={(event) => setParams({ month: event.currentTarget.value }, { replace: true })}
      />
      {totals.error && <Failure error={totals.error} onRetry={() => void totals.refetch()} />}
      {(totals.isPending || totals.isPlaceholderData) && <Skeleton height={320} maw={720} />}
      {totals.data && !totals.error && !totals.isPlaceholderData && <Statement month={month} totals={totals.data} />}
    </Page>
  );
}

type Totals = ReadResponse<"statement/summary">;

function Statement({ month, totals }: { month: string; totals: Totals }) {
  const mayExport = useMay("exports");
  const { api } = useScope();
  const { from, before, lines } = totals;
  const closing = closingOf(totals);
  return (
    <>
      <SectionCard
        title="Statement"
        lead={`${counted(lines)}. The opening balance plus these lines equals the ${closing.toLowerCase()}.`}
      >
        <Sums {...totals} />
        {mayExport && (
          <Group>
            <ExportMenu path="statement" filters={{ month }} label="Download statement" />
            <Button
              component="a"
              variant="default"
              href={`${api}/statement.pdf${queryOf({ month })}`}
              leftSection={<IconDownload size={16} aria-hidden />}
              download
            >
              Download PDF
            </Button>
          </Group>
        )}
      </SectionCard>
      {mayExport ? (
        <SectionCard
          title="Journal"
          lead="Every transaction of the month in double entry, for your accountant: a debit of Collected or Settled is money that you have with us."
        >
          <Group>
            <ExportMenu path="journal" filters={{ from, before }} label="Download journal" />
          </Group>
        </SectionCard>
      ) : (
        <Text size="sm">Only owners and finance members can download statements and journals.</Text>
      )}
    </>
  );
}

const counted = (lines: number) => (lines === 1 ? "1 line" : `${lines.toLocaleString("en-NG")} lines`);

/** As the PDF says it: a balance closes a month that is over. */
const closingOf = ({ as_of, before }: Totals) =>
  as_of !== undefined && Date.parse(before) <= Date.parse(as_of) ? "Closing balance" : "Balance so far";

function Sums(totals: Totals) {
  const { opening, closing, money_in, fees, settled, transfers_out, returned } = totals;
  return (
    <Table.ScrollContainer minWidth={300} type="native" tabIndex={0}>
      <Table verticalSpacing={6} horizontalSpacing={6} aria-label="Sums of the month">
        <Table.Thead>
          <Table.Tr>
            <Table.Th />
            <Table.Th scope="col" ta="right">
              Collected
            </Table.Th>
            <Table.Th scope="col" ta="right">
              Settled
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          <Row name="Opening balance" collected={opening.collected} settled={opening.settled} isBalance />
          <Row name="Payments received" collected={money_in} />
          <Row name="Fees" collected={-fees} />
          <Row name="Settled" collected={-settled} settled={settled} />
          <Row name="Transfers out" settled={-transfers_out} />
          <Row name="Transfers returned" settled={returned} />
        </Table.Tbody>
        <Table.Tfoot>
          <Row name={closingOf(totals)} collected={closing.collected} settled={closing.settled} isBalance />
        </Table.Tfoot>
      </Table>
    </Table.ScrollContainer>
  );
}

type RowProps = { name: string; collected?: number; settled?: number; isBalance?: boolean };

function Row({ name, collected, settled, isBalance }: RowProps) {
  const weight = isBalance ? 600 : 400;
  const cell = (naira: number | undefined) => (
    <Table.Td ta="right" fw={weight}>
      {naira !== undefined && <Money naira={naira === 0 ? 0 : naira} />}
    </Table.Td>
  );
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={weight}>
        {name}
      </Table.Th>
      {cell(collected)}
      {cell(settled)}
    </Table.Tr>
  );
}
