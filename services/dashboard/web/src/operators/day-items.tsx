import { DIFFERENCES, type Difference } from "@collect/dashboard/differences";
import { Button, Checkbox, Group, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import { type Column, ListRows } from "../components/list-rows.tsx";
import { ActDialog } from "./act-dialog.tsx";
import type { Read } from "./api.ts";
import { choose, useChosen } from "./chosen.ts";
import { ADVICE } from "./day-words.ts";
import { Kobo } from "./kobo.tsx";
import { MatchByHand } from "./match-by-hand.tsx";

type Sheet = Read<"days/:day">;
type Item = Sheet["items"][number];

/** Each has a form; there may be 2,000. */
const AT_ONCE = 100;

/** The difference line by line: those that need a person first. */
export function DayItems({ sheet }: { sheet: Sheet }) {
  const [shown, setShown] = useState(AT_ONCE);
  const { day, items, items_total, settled } = sheet;
  return (
    <Stack component="section" gap="xs" aria-label="Lines of the difference">
      <Title order={2} size="h4">
        Lines of the difference
      </Title>
      {items_total === 0 && <Text c="dimmed">None: our books agree with the bank, line by line.</Text>}
      {sheet.state === "open" && <ReasonsForAll {...{ day, items }} />}
      {items.length > 0 && (
        <ListRows
          title="Lines of the difference"
          columns={columnsOf(sheet)}
          keyOf={({ key }) => key}
          rows={items.slice(0, shown)}
          isOld={false}
          place={`${day} ${shown}`}
        />
      )}
      {shown < items.length && (
        <Group>
          <Button variant="default" onClick={() => setShown(shown + AT_ONCE)}>
            Show more ({items.length - shown})
          </Button>
        </Group>
      )}
      <MatchByHand sheet={sheet} />
      {items_total > items.length && (
        <Text size="sm" c="dimmed">
          Not listed, because they are settled: {items_total - items.length}. Settled in all:{" "}
          {settled.map(({ class: kind, items: count, amount }) => (
            <span key={kind}>
              {count} {DIFFERENCES[kind].toLowerCase()}, <Kobo kobo={amount} />.{" "}
            </span>
          ))}
        </Text>
      )}
    </Stack>
  );
}

const columnsOf = ({ day, state }: Sheet): Column<Item>[] => [
  {
    header: "What it is",
    cell: (item) => <What {...{ day, item }} />,
    narrow: "name",
  },
  { header: "Kind", cell: ({ class: kind }) => DIFFERENCES[kind], narrow: "status", width: 150 },
  { header: "Account", cell: ({ account }) => account ?? "All", width: 120 },
  { header: "Amount", cell: ({ amount }) => <Kobo kobo={amount} />, align: "right", narrow: "amount", width: 150 },
  {
    header: "Reason",
    cell: (item) => <Reason {...{ day, item }} isOpen={state === "open"} />,
    narrow: "time",
    width: 300,
  },
];

/** A line of the bank, or a movement of our books, that is in no match. */
const CAN_BE_MATCHED = /^(line:|int_|trf_)/;

/** What is in no match can be chosen to be matched by hand. */
function What({ day, item: { key, what, account, amount } }: { day: string; item: Item }) {
  const chosen = useChosen();
  const name = <span title={`${what} (${key})`}>{what || key}</span>;
  if (account === null || !CAN_BE_MATCHED.test(key)) return name;
  const others = chosen.filter((each) => each.key !== key);
  return (
    <Checkbox
      size="xs"
      label={name}
      styles={{
        labelWrapper: { minWidth: 0 },
        label: { display: "block", overflow: "hidden", textOverflow: "ellipsis" },
      }}
      checked={others.length < chosen.length}
      onChange={({ currentTarget: { checked } }) =>
        choose(checked ? [...others, { key, day, account, amount, what }] : others)
      }
    />
  );
}

function Reason({ day, item, isOpen }: { day: string; item: Item; isOpen: boolean }) {
  const { key, class: kind, amount, what, settled, reason, explained_by } = item;
  const given = reason === null ? settled && "Settled on another day" : `${reason} (${explained_by})`;
  return (
    <Group gap={4} justify="space-between" maw={{ base: "45vw", sm: "100%" }}>
      {given && (
        <Text size="sm" span style={{ whiteSpace: "normal" }} className="wrap-anywhere">
          {given}
        </Text>
      )}
      <ActDialog
        subject="statements.day.explain"
        label={reason === null ? "Give a reason" : "Change"}
        isOffered={isOpen && takesReason(item)}
        effect={
          <>
            <Kobo kobo={amount} />: {what || key} ({key}). {ADVICE[kind]} {ONCE_GIVEN}
          </>
        }
        reason="Reason"
        inputOf={(text) => ({ day, item: key, amount, reason: text })}
      />
      {isMissedCredit(item) && (
        <Button component={Link} to={`/lines/${key.replace("line:", "")}`} variant="default">
          Credit it
        </Button>
      )}
    </Group>
  );
}

/** Money at the bank of which no transfer is known. Also on a closed day: the line itself says whether it is matched by now. */
const isMissedCredit = ({ key, class: kind, amount }: Item) =>
  kind === "bank_only" && key.startsWith("line:") && BigInt(amount) > 0n;

/** What our books have and the bank has not booked yet waits for the next statement. */
const takesReason = ({ key, class: kind, settled }: Item) =>
  !settled && (kind !== "timing" || key.startsWith("match:"));

const ONCE_GIVEN = "A reason counts for this amount only, and another person closes the day.";

/** One reason for what there is more of, such as the bank's charges. */
function ReasonsForAll({ day, items }: Pick<Sheet, "day" | "items">) {
  const kinds = Map.groupBy(items.filter(takesReason), (item): Difference => item.class);
  return [...kinds].map(([kind, of]) => {
    const amount = of.reduce((sum, item) => sum + BigInt(item.amount), 0n);
    return (
      <Group key={kind}>
        <ActDialog
          subject="statements.day.explain"
          label={`${DIFFERENCES[kind]}: one reason for all ${of.length}`}
          isOffered={of.length > 1 && of.some(({ reason }) => reason === null)}
          effect={
            <>
              {of.length} lines, <Kobo kobo={amount} /> together. {ADVICE[kind]} {ONCE_GIVEN}
            </>
          }
          reason="Reason"
          inputOf={(text) => ({ day, item: kind, amount: amount.toString(), reason: text })}
        />
      </Group>
    );
  });
}
