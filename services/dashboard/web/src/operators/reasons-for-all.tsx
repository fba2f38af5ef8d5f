import { DIFFERENCES, type Difference } from "@collect/dashboard/differences";
import { Group } from "@mantine/core";
import { useState } from "react";
import { ActDialog } from "./act-dialog.tsx";
import type { Read } from "./api.ts";
import { type Item, isGrouped, linesIn, ONCE_GIVEN, takesReason } from "./day-lines.ts";
import { ADVICE } from "./day-words.ts";
import { Kobo } from "./kobo.tsx";

type Sheet = Read<"days/:day">;

/** One reason for what there is more of, such as the bank's charges. */
export function ReasonsForAll({ sheet }: { sheet: Sheet }) {
  const kinds = Map.groupBy(sheet.items.filter(takesReason), (item): Difference => item.class);
  return [...kinds].map(([kind, of]) => <ReasonForAll key={kind} {...{ sheet, kind, of }} />);
}

function ReasonForAll({ sheet, kind, of }: { sheet: Sheet; kind: Difference; of: Item[] }) {
  const seen = useSeen(sheet);
  const amount = sumOf(of);
  return (
    <Group>
      <ActDialog
        subject="statements.day.explain"
        label={`${DIFFERENCES[kind]}: one reason for all ${linesIn(of)}`}
        isOffered={of.length > 1 && of.some(({ reason }) => reason === null)}
        effect={
          <>
            {linesIn(of)} lines, <Kobo kobo={amount} /> together. {isGrouped(of) && <BothWays of={of} />}
            {ADVICE[kind]} {ONCE_GIVEN}
          </>
        }
        reason="Reason"
        onOpen={seen.look}
        inputOf={(text) => ({
          ...{ day: sheet.day, item: kind, amount: amount.toString(), reason: text, ...seen.input },
        })}
      />
    </Group>
  );
}

/** Where a bank shows the charges of its credits on lines of their own, each credit of the day has one. */
export function ChargeForAll({ sheet }: { sheet: Sheet }) {
  const seen = useSeen(sheet);
  const of = sheet.items.filter(
    ({ class: kind, settled, charge }) => kind === "different_amount" && !settled && charge,
  );
  const charge = of.reduce((sum, item) => sum + BigInt(item.charge ?? 0), 0n);
  return (
    <ActDialog
      subject="statements.day.explain"
      label={`${DIFFERENCES.different_amount}: bank charges, all ${linesIn(of)}`}
      isOffered={of.length > 1 && of.some(({ reason }) => reason === null)}
      effect={
        <>
          {linesIn(of)} matches, <Kobo kobo={charge} /> together. Say so only if each is a charge: below zero the bank
          kept it of a credit, or took it with a payout, above zero it reported it, and has shown it on a line of its
          own. Once the day is closed, our ledger books that. {ONCE_GIVEN}
        </>
      }
      reason="Reason"
      onOpen={seen.look}
      inputOf={(text) => ({
        ...{ day: sheet.day, item: "different_amount", amount: sumOf(of).toString(), reason: text, charge: true },
        ...seen.input,
      })}
    />
  );
}

/** Of a day with groups a sum does not say which lines were meant: the digest does, of the sheet that was shown when the dialog was opened. */
function useSeen({ digest, items }: Sheet) {
  const [seen, setSeen] = useState(digest);
  return { look: () => setSeen(digest), input: isGrouped(items) ? { seen } : {} };
}

const sumOf = (of: Item[]) => of.reduce((sum, { amount }) => sum + BigInt(amount), 0n);

/** The sum of very many lines may be small where those of both signs are large. */
function BothWays({ of }: { of: Item[] }) {
  const more = of.filter(({ amount }) => !amount.startsWith("-"));
  const less = of.filter(({ amount }) => amount.startsWith("-"));
  return (
    <>
      At the bank <Kobo kobo={sumOf(more)} /> more in {linesIn(more)} lines, <Kobo kobo={-sumOf(less)} /> less in{" "}
      {linesIn(less)}.{" "}
    </>
  );
}
