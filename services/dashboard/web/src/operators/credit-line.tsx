import { Button, Group, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { Failure } from "../components/failure.tsx";
import { lagosInstant } from "../components/lagos-time.ts";
import { Loading } from "../components/loading.tsx";
import { NairaInput } from "../components/naira-input.tsx";
import { SectionCard } from "../components/section-card.tsx";
import { ActDialog } from "./act-dialog.tsx";
import { type Done, type Input, type Read, useExactRead } from "./api.ts";
import { AskBank } from "./ask-bank.tsx";
import { Kobo } from "./kobo.tsx";
import { Recipient } from "./recipient.tsx";

type Line = Read<"lines/:line">;
type Offer = Input<"accounts.missed_transfer.report">;

const OUTCOMES: Record<Done<"accounts.missed_transfer.report">["status"], string> = {
  accepted: "Credited. Within a minute or two it is matched with the line.",
  duplicate: "It was credited under this ID before. Nothing has changed.",
  unallocated: "It is in suspense, because no merchant has the account. Allocate it under Incoming transfers.",
  quarantined:
    "Not credited: what the bank reported under this ID is something else. It is in quarantine. Take the offer back, and credit the line under the right ID.",
};

/**
 * Credits what the bank has and we do not. Who gets it is shown first, and exactly that is signed: what the bank says, or what the operator
 * knows from a bank that cannot be asked.
 */
export function CreditLine({ id, line, isOffered }: { id: string; line: Line; isOffered: boolean }) {
  const [checked, setChecked] = useState<Offer>();
  const offeredAs = line.offer?.is_return ? undefined : line.offer?.bank_transfer_id;
  return (
    <SectionCard
      title="Credit it"
      lead="For a notification that was lost: it is credited as if the bank had reported it, and a report that still comes is a duplicate."
    >
      {isOffered && <Ask {...{ id, line }} onChange={() => setChecked(undefined)} onCheck={setChecked} />}
      <Stack gap="sm" aria-live="polite">
        {checked && (
          <Recipient bank={line.bank} account={checked.account_number} amount={checked.amount} arrived={line.amount}>
            {(recipient) => <Confirm {...{ offer: checked, recipient, isOffered }} />}
          </Recipient>
        )}
      </Stack>
      <TakeBack key={offeredAs} {...{ id, isOffered, offeredAs }} />
    </SectionCard>
  );
}

function Ask(given: FieldsProps) {
  const { id, line, onChange, onCheck } = given;
  const { data, error, refetch } = useExactRead("partner-transfer", { bank: line.bank });
  if (!data) return error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading />;
  if (data.asked_by.length === 0) return <Fields {...given} />;
  const sessionId = data.asked_by.includes("session_id") ? line.session_id : null;
  return <AskBank {...{ id, bank: line.bank, booked: line.amount, sessionId, onChange, onCheck }} />;
}

type FieldsProps = { id: string; line: Line; onChange: () => void; onCheck: (offer: Offer) => void };

function Fields({ id, line, onChange, onCheck }: FieldsProps) {
  const [fields, setFields] = useState({ bankId: "", account: "", payer: "", paidAt: "" });
  const [naira, setNaira] = useState<number | string>("");
  const field = (name: keyof typeof fields, label: string) => ({
    label,
    value: fields[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => {
      setFields({ ...fields, [name]: value });
      onChange();
    },
  });
  const check = (event: FormEvent) => {
    event.preventDefault();
    onCheck({
      ...{ line: id, bank_transfer_id: fields.bankId.trim(), account_number: fields.account.trim() },
      ...{ amount: String(Math.round(Number(naira) * 100)), payer_name: fields.payer.trim() },
      paid_at: line.paid_at === null ? lagosInstant(fields.paidAt) : null,
    });
  };
  return (
    <form onSubmit={check}>
      <Stack gap="sm">
        <TextInput
          {...field("bankId", "Bank's ID of the transfer")}
          description="As its notifications have it: ask the bank. Under another ID, a report that still comes may be credited again."
          maxLength={100}
          required
          withAsterisk={false}
        />
        <TextInput
          {...field("account", "Account that was paid into")}
          inputMode="numeric"
          pattern="\s*\d{10}\s*"
          title="10 digits"
          required
          withAsterisk={false}
        />
        <NairaInput
          label="What the payer sent"
          description="The amount of the line, and what the bank kept of it: ask the bank. Another amount here puts a report that still comes into quarantine."
          value={naira}
          onChange={(typed) => {
            setNaira(typed);
            onChange();
          }}
          required
          withAsterisk={false}
        />
        <TextInput {...field("payer", "Payer's name (optional)")} maxLength={200} />
        {line.paid_at === null && (
          <TextInput
            {...field("paidAt", "Paid at, in Lagos time")}
            type="datetime-local"
            required
            withAsterisk={false}
          />
        )}
        <Group>
          <Button type="submit" variant="default">
            Show who gets it
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Confirm({ offer, recipient, isOffered }: { offer: Offer; recipient: string; isOffered: boolean }) {
  return (
    <Group>
      <ActDialog
        subject="accounts.missed_transfer.report"
        label="Credit it"
        isOffered={isOffered}
        effect={
          <>
            <Kobo kobo={offer.amount} />, paid into {offer.account_number}, goes to <bdi>{recipient}</bdi> under the
            bank's ID {offer.bank_transfer_id}. What is credited can't be taken back here.
          </>
        }
        inputOf={() => offer}
        resultOf={({ status }) => OUTCOMES[status]}
      />
    </Group>
  );
}

/** Of an offer that credited nothing. */
function TakeBack({
  id,
  isOffered,
  offeredAs = "",
}: {
  id: string;
  isOffered: boolean;
  offeredAs?: string | undefined;
}) {
  const [bankId, setBankId] = useState(offeredAs);
  return (
    <Group>
      <ActDialog
        subject="accounts.missed_transfer.withdraw"
        label="Take back an offer"
        isOffered={isOffered}
        effect="For an offer under a wrong ID that credited nothing: the line can be credited under another ID then. What was credited stays."
        reason="Reason"
        inputOf={(reason) => ({ line: id, bank_transfer_id: bankId.trim(), reason })}
        resultOf={() => "Taken back. The line can be credited under another ID."}
      >
        <TextInput
          label="Bank's ID that it was offered under"
          value={bankId}
          onChange={({ currentTarget }) => setBankId(currentTarget.value)}
          maxLength={100}
          required
          withAsterisk={false}
          data-autofocus
        />
      </ActDialog>
    </Group>
  );
}
