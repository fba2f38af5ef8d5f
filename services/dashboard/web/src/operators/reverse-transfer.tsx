import { Alert, Checkbox, Group, Stack } from "@mantine/core";
import { useState } from "react";
import { Failure } from "../components/failure.tsx";
import { Loading } from "../components/loading.tsx";
import { NairaInput } from "../components/naira-input.tsx";
import { SectionCard } from "../components/section-card.tsx";
import { ActDialog } from "./act-dialog.tsx";
import { type Done, type Read, useExactRead } from "./api.ts";
import { FindForm } from "./find-form.tsx";
import { FoundPayout } from "./found-payout.tsx";
import { Kobo } from "./kobo.tsx";
import { ReceivedTransfer, type TransferId } from "./received-transfer.tsx";

type Line = Read<"lines/:line">;

const OUTCOMES: Record<Done<"accounts.missed_reversal.report">["status"], string> = {
  accepted: "Taken back. Within a minute or two it is matched with the line.",
  duplicate: "It was taken back with this line before. Nothing has changed.",
};

/**
 * Takes back what the bank took back of a transfer and never reported. From whom is shown first. The transfer is found by the line's session, if
 * it has one, or by what the bank's staff say.
 */
export function ReverseTransfer({ id, line, isOffered }: Offered) {
  const { data, error, refetch } = useExactRead("lines/:line/payout", { line: id });
  return (
    <SectionCard
      title="Reverse a transfer"
      lead="For a credit that the bank took back and never reported: it is taken back from its merchant as if the bank had reported it. Have the bank confirm which credit it is."
    >
      {!data && (error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading />)}
      {data?.payout && <PayoutOfLine {...data.payout} />}
      {data && data.payout?.named_by !== "reference" && <Find {...{ id, line, isOffered, payout: data.payout }} />}
    </SectionCard>
  );
}

type Offered = { id: string; line: Line; isOffered: boolean };
type Payout = Read<"lines/:line/payout">["payout"];

const PAYOUT_TITLES = {
  reference: "The line is a payout, and takes nothing back",
  session: "The line has the session of a payout",
  beneficiary: "The line may be a payout that the bank executed late",
};

function PayoutOfLine({ named_by, reference }: NonNullable<Payout>) {
  return (
    <>
      <Alert color="red" title={PAYOUT_TITLES[named_by]}>
        A merchant who is debited for it loses money. Ask the bank's staff what the line is.
      </Alert>
      <FoundPayout reference={reference} />
    </>
  );
}

function Find({ id, line, isOffered, payout }: Offered & { payout: Payout }) {
  const [sought, setSought] = useState<TransferId>();
  return (
    <>
      {isOffered && (
        <FindForm
          label="ID of the transfer"
          description={
            line.session_id === null
              ? "Ours, which begins with int_, or the bank's."
              : "Ours, which begins with int_, or the bank's. Without one it is found by the line's session."
          }
          button="Show whose it is"
          isRequired={line.session_id === null}
          onChange={() => setSought(undefined)}
          onFind={(typed) => setSought(idOf(typed, line))}
        />
      )}
      <Stack gap="sm" aria-live="polite">
        {sought && (
          <ReceivedTransfer by={sought}>
            {({ intake_id }, from) => <Confirm key={intake_id} {...{ id, line, intake_id, from, isOffered, payout }} />}
          </ReceivedTransfer>
        )}
      </Stack>
    </>
  );
}

function idOf(typed: string, { bank, session_id }: Line): TransferId {
  if (typed === "" && session_id !== null) return { bank, session_id };
  return typed.startsWith("int_") ? { intake_id: typed } : { bank, bank_transfer_id: typed };
}

type ConfirmProps = Offered & { intake_id: string; from: string; payout: Payout };

function Confirm({ id, line, intake_id, from, isOffered, payout }: ConfirmProps) {
  const booked = -BigInt(line.amount);
  const [naira, setNaira] = useState<number | string>((Number(booked) / 100).toFixed(2));
  const [isOther, setIsOther] = useState(false);
  const amount = String(Math.round(Number(naira) * 100));
  const candidates = payout?.named_by === "beneficiary" ? [payout.reference, ...(payout.others ?? [])] : [];
  return (
    <Group>
      <ActDialog
        subject="accounts.missed_reversal.report"
        label="Reverse it"
        isOffered={isOffered}
        isDangerous
        effect={
          <>
            <Kobo kobo={amount} /> of the transfer {intake_id} is taken back from <bdi>{from}</bdi>. What is taken from
            a merchant can't be given back here.
          </>
        }
        reason="How you know that it is this transfer"
        inputOf={(reason) => ({ line: id, intake_id, amount, ...(isOther && { despite_payouts: candidates }), reason })}
        resultOf={({ status }) => OUTCOMES[status]}
      >
        <NairaInput
          label="What is taken back of the transfer"
          description={
            <>
              That of the line, <Kobo kobo={booked} />, or all that is left of the transfer if the bank gave back its
              charges, too.
            </>
          }
          value={naira}
          onChange={setNaira}
          required
          withAsterisk={false}
        />
        {candidates.length > 0 && (
          <Checkbox
            label={`The bank's staff confirm that the line is not the payout ${candidates.join(", nor ")}`}
            checked={isOther}
            onChange={({ currentTarget }) => setIsOther(currentTarget.checked)}
          />
        )}
      </ActDialog>
    </Group>
  );
}
