import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { useEffect } from "react";
import { type Column, ListRows } from "../components/list-rows.tsx";
import { OrderDialog } from "./act-dialog.tsx";
import { type Read, useAct } from "./api.ts";
import { type Chosen, choose, useChosen } from "./chosen.ts";
import { isGrouped } from "./day-lines.ts";
import { dayWords } from "./day-words.ts";
import { Kobo } from "./kobo.tsx";

type Sheet = Read<"days/:day">;

/** What was chosen on this and other days, and, once it belongs together, the act that says so. */
export function MatchByHand({ sheet: { day, items } }: { sheet: Sheet }) {
  const order = useAct("statements.match.set");
  const chosen = useChosen();
  const isMatched = order.data !== undefined && "done" in order.data;
  useEffect(() => {
    if (isMatched) choose([]);
  }, [isMatched]);
  if (chosen.length === 0) return null;
  // Of a day with groups, most lines are in one: whether it is matched by now, the act itself says.
  const listed = isGrouped(items) ? chosen : items;
  const gone = chosen.filter((each) => each.day === day && !listed.some(({ key }) => key === each.key));
  const [lines, movements] = [chosen.filter(isLine), chosen.filter((each) => !isLine(each))];
  const obstacle = gone.length > 0 ? inAMatch(gone) : obstacleTo(lines, movements);
  return (
    <Stack component="section" gap="xs" aria-label="Match by hand">
      <Title order={2} size="h4">
        Match by hand
      </Title>
      <ListRows
        title="Chosen"
        columns={COLUMNS}
        keyOf={({ key }) => key}
        rows={[...lines, ...movements]}
        isOld={false}
        place="chosen"
      />
      <Text size="sm">
        At the bank <Kobo kobo={sumOf(lines)} />, in our books <Kobo kobo={-sumOf(movements)} />.
        {obstacle && ` ${obstacle}`}
      </Text>
      <Group gap="xs">
        <OrderDialog
          label="Match by hand"
          isOffered={obstacle === undefined}
          effect={
            <>
              {lines.length} of the bank and {movements.length} of our books, <Kobo kobo={sumOf(lines)} /> on each side,
              belong together. This is kept, and another person closes the day.
            </>
          }
          order={order}
          inputOf={() => ({
            lines: lines.map(({ key }) => key.replace(LINE, "")),
            movements: movements.map(({ key }) => key),
          })}
        />
        <Button variant="default" onClick={() => choose([])}>
          Choose none
        </Button>
      </Group>
    </Stack>
  );
}

const LINE = /^line:/;
const isLine = ({ key }: Chosen) => LINE.test(key);
const sumOf = (of: Chosen[]) => of.reduce((sum, { amount }) => sum + BigInt(amount), 0n);

const inAMatch = (gone: Chosen[]) =>
  `In a match by now, so take them out: ${gone.map(({ what, key }) => what || key).join(", ")}.`;

/** Why it cannot be: amounts and accounts of lines and movements never change, so what is found here holds. */
function obstacleTo(lines: Chosen[], movements: Chosen[]): string | undefined {
  if (lines.length === 0) return "Choose a line of the bank, too, on this day or another.";
  if (movements.length === 0) return "Choose what our books have, too, on this day or another.";
  if (new Set([...lines, ...movements].map(({ account }) => account)).size > 1)
    return "They are of different accounts.";
  return sumOf([...lines, ...movements]) === 0n ? undefined : "The sums differ.";
}

const COLUMNS: Column<Chosen>[] = [
  {
    header: "What it is",
    cell: ({ what, key }) => <span title={`${what} (${key})`}>{what || key}</span>,
    narrow: "name",
  },
  { header: "Day", cell: ({ day }) => dayWords(day), narrow: "status", width: 120 },
  { header: "Account", cell: ({ account }) => account, width: 120 },
  { header: "Amount", cell: ({ amount }) => <Kobo kobo={amount} />, align: "right", narrow: "amount", width: 150 },
  { header: "Action", cell: (item) => <TakeOut item={item} />, narrow: "time", width: 110 },
];

function TakeOut({ item: { key, what } }: { item: Chosen }) {
  const chosen = useChosen();
  return (
    <Button
      variant="default"
      aria-label={`Take out ${what || key}`}
      onClick={() => choose(chosen.filter((each) => each.key !== key))}
    >
      Take out
    </Button>
  );
}
