import { Button, Card, Group, SegmentedControl, Skeleton, Table, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { useRead } from "../../api/hooks.ts";
import { BarChart } from "../../components/bar-chart.tsx";
import { Failure } from "../../components/failure.tsx";
import { Money, money } from "../../components/money.tsx";
import { SCROLLED_BY_KEYS } from "../../components/scrolled-by-keys.ts";
import { Comparison } from "./comparison.tsx";
import { type DaySum, everyDay, lastDays, shortNaira } from "./days.ts";

/** The collections of the last days, as bars or as a table. */
export function DayChart() {
  const [length, setLength] = useState("30");
  const [isTable, { toggle }] = useDisclosure();
  const now = Date.now();
  const days = lastDays(Number(length), now);
  const sums = useRead("collection-days", { from: days[0] ?? "", to: days.at(-1) ?? "" });
  // Data for another number of days is not shown as the current one.
  const shown = sums.data && !sums.isPlaceholderData ? everyDay(days, sums.data) : undefined;
  const total = shown?.reduce((sum, { amount }) => sum + amount, 0) ?? 0;
  const count = shown?.reduce((sum, day) => sum + day.count, 0) ?? 0;
  return (
    <Card withBorder component="section" aria-labelledby="by-day">
      <Group justify="space-between" align="flex-start" mb="md">
        <div>
          <Title order={2} size="h4" id="by-day">
            Collections by day
          </Title>
          {shown && (
            <Text size="sm" c="dimmed">
              {money(total)} in {counted(count)}, before fees
            </Text>
          )}
          {shown && <Comparison shown={shown} now={now} />}
        </div>
        <Group gap="xs">
          <SegmentedControl
            aria-label="Number of days"
            value={length}
            onChange={setLength}
            data={["7", "30", "90"].map((value) => ({ value, label: `${value} days` }))}
          />
          <Button variant="default" onClick={toggle} aria-pressed={isTable}>
            View as table
          </Button>
        </Group>
      </Group>
      {sums.error && <Failure error={sums.error} onRetry={() => void sums.refetch()} />}
      {!shown && !sums.error && <Skeleton height={240} />}
      {shown && (isTable ? <DayTable days={shown} /> : <Bars days={shown} />)}
    </Card>
  );
}

function Bars({ days }: { days: DaySum[] }) {
  return (
    <BarChart
      label="Collected on each day"
      bars={days.map((day) => ({ ...day, key: day.day, value: day.amount }))}
      tick={shortNaira}
      words={({ label, amount, count }) => `${label}: ${money(amount)} in ${counted(count)}`}
    />
  );
}

const counted = (count: number) => `${count.toLocaleString("en")} ${count === 1 ? "collection" : "collections"}`;

/** Newest first, like every list. */
function DayTable({ days }: { days: DaySum[] }) {
  return (
    <Table.ScrollContainer minWidth={340} maxHeight={360} scrollAreaProps={SCROLLED_BY_KEYS}>
      <Table stickyHeader aria-labelledby="by-day">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Day</Table.Th>
            <Table.Th scope="col" ta="right">
              Collections
            </Table.Th>
            <Table.Th scope="col" ta="right">
              Collected
            </Table.Th>
            <Table.Th scope="col" ta="right">
              Net
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.toReversed().map(({ day, label, count, amount, net }) => (
            <Table.Tr key={day}>
              <Table.Th scope="row" fw={400}>
                <time dateTime={day}>{label}</time>
              </Table.Th>
              <Table.Td ta="right">{count.toLocaleString("en")}</Table.Td>
              <Table.Td ta="right">
                <Money naira={amount} />
              </Table.Td>
              <Table.Td ta="right">
                <Money naira={net} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
