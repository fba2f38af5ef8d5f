import { DIFFERENCES } from "@collect/dashboard/differences";
import { Button, Checkbox, Group, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import { type Column, ListRows } from "../components/list-rows.tsx";
import { ActDialog } from "./act-dialog.tsx";
import type { Read } from "./api.ts";
import { choose, useChosen } from "./chosen.ts";
import { type Item, linesIn, ONCE_GIVEN, takesReason } from "./day-lines.ts";
import { ADVICE } from "./day-words.ts";
import { Kobo } from "./kobo.tsx";
import { MatchByHand } from "./match-by-hand.tsx";
import { ChargeForAll, ReasonsForAll } from "./reasons-for-all.tsx";

type Sheet = Read<"days/:day">;

/** Each has a form; there may be 2,000. */
const AT_ONCE = 100;

/** The difference line by line: those that need a person first. */
export function DayItems({ sheet }: { sheet: Sheet }) {
  const [shown, setShown] = useState(AT_ONCE);
  const { day, items, items_total, settled } = sheet;
  const listed = linesIn(items);
  return (
    <Stack component="section" gap="xs" aria-label="Lines of the difference">
      <Title order={2} size="h4">
        Lines of the difference
      </Title>
      {items_total === 0 && <Text c="dimmed">None: our books agree with the bank, line by line.</Text>}
      {sheet.state === "open" && <ReasonsForAll sheet={sheet} />}
      {sheet.state === "open" && <ChargeForAll sheet={sheet} />}
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
      {items_total > listed && (
        <Text size="sm" c="dimmed">
          Not listed, because they are settled: {items_total - listed}. Settled in all:{" "}
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
  {
    header: "Kind",
    cell: ({ class: kind, count }) => `${DIFFERENCES[kind]}${count ? `, ${count} lines` : ""}`,
    narrow: "status",
    width: 150,
  },
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

type Named = Pick<Item, "key" | "what" | "account" | "amount">;

/** What is in no match can be chosen to be matched by hand. */
export function What({ day, item: { key, what, account, amount } }: { day: string; item: Named }) {
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
  const {
    key,
    class: kind,
    amount,
    what,
    settled,
    reason,
    explained_by,
    by_amount,
    charge,
    is_charge,
    is_own,
    is_refund,
  } = item;
  const byItself = settled && `Settled on another day${by_amount ? ", by the amount alone" : ""}`;
  const why = reason === null ? byItself : `${reason} (${explained_by})`;
  const said = is_refund ? "Charge given back: " : is_charge ? "Bank charge: " : is_own ? "Own funds: " : "";
  const given = why && `${said}${why}`;
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
      <ActDialog
        subject="statements.match.undo"
        label="Undo match"
        isOffered={isOpen && typeof item.matched_by === "string"}
        effect={
          <>
            {what || key} ({key}). What {item.matched_by} matched by hand is open again, and is matched by itself where
            it can be. A reason that was given for it counts no more.
          </>
        }
        reason="Reason"
        inputOf={(text) => ({ match: key.replace("match:", ""), reason: text })}
      />
      <ActDialog
        subject="statements.day.explain"
        label="Bank charge"
        isOffered={isOpen && Boolean(charge) && !is_charge}
        effect={
          <>
            {BigInt(charge ?? 0) < 0n ? KEPT : APART} <Kobo kobo={charge ?? "0"} />: {what || key} ({key}). Once the day
            is closed, our ledger books that. {ONCE_GIVEN}
          </>
        }
        reason="Reason"
        inputOf={(text) => ({ day, item: key, amount, reason: text, charge: true })}
      />
      <ActDialog
        subject="statements.day.explain"
        label="Own funds"
        isOffered={isOpen && kind === "bank_only" && !is_own}
        effect={
          <>
            <Kobo kobo={amount} />: {what || key} ({key}). It is money of our own, as when we top up an account to pay
            out of it, or sweep our fees into another one, or had it there before the first statement. Say so only if it
            is no customer's and no merchant's. Once the day is closed, our ledger books that. {ONCE_GIVEN}
          </>
        }
        reason="Reason"
        inputOf={(text) => ({ day, item: key, amount, reason: text, own: true })}
      />
      <ActDialog
        subject="statements.day.explain"
        label="Charge given back"
        isOffered={isOpen && mayBeRefund(item)}
        effect={
          <>
            <Kobo kobo={amount} />: {what || key} ({key}). The bank has given a charge of this account back. Say so only
            if no customer sent it. Once the day is closed, our ledger books that. {ONCE_GIVEN}
          </>
        }
        reason="Reason"
        inputOf={(text) => ({ day, item: key, amount, reason: text, refund: true })}
      />
      {isMissed(item) && (
        <Button component={Link} to={`/lines/${key.replace("line:", "")}`} variant="default">
          {BigInt(amount) > 0n ? "Credit it" : "Reverse it"}
        </Button>
      )}
    </Group>
  );
}

const mayBeRefund = ({ key, class: kind, amount, is_refund }: Item) =>
  kind === "bank_only" && /^(group:)?line:/.test(key) && BigInt(amount) > 0n && !is_refund;

/** Money that came to the bank, or left it, of which our books have nothing, and that is not ours. Also on a closed day: the line itself says whether it is matched by now. */
const isMissed = ({ key, class: kind, is_own, is_refund }: Item) =>
  kind === "bank_only" && key.startsWith("line:") && !is_own && !is_refund;

const KEPT = "The bank kept a charge of the credit, or took one with the payout.";
/** Our books have it by the report, and will have it again by its line. */
const APART =
  "The bank reported its charge with the credit, and has shown it on a line of its own. That line is booked, so the reported charge is taken back.";
