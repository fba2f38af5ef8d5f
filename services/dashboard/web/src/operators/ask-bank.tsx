import { Alert, Button, Group, Stack } from "@mantine/core";
import { useState } from "react";
import { Facts } from "../components/facts.tsx";
import { Failure } from "../components/failure.tsx";
import { Loading } from "../components/loading.tsx";
import { When } from "../components/when.tsx";
import { type Input, type Read, useExactRead } from "./api.ts";
import { FindForm } from "./find-form.tsx";
import { Kobo } from "./kobo.tsx";

type Offer = Input<"accounts.missed_transfer.report">;
type Transfer = NonNullable<Read<"partner-transfer">["transfer"]>;
type Sought = { bank_transfer_id: string } | { session_id: string };
type Props = {
  id: string;
  bank: string;
  /** The amount of the line, in kobo. */
  booked: string;
  /** Null if the bank cannot be asked by it. */
  sessionId: string | null;
  onChange: () => void;
  onCheck: (offer: Offer) => void;
};

/** Asks the bank for a transfer, and offers what it says. The operator gives nothing but the bank's ID, and no ID where the line has the session. */
export function AskBank({ id, bank, booked, sessionId, onChange, onCheck }: Props) {
  const [sought, setSought] = useState<Sought>();
  return (
    <>
      <FindForm
        label="Bank's ID of the transfer"
        description={
          sessionId === null
            ? "As its notifications have it: the bank is asked for it."
            : "The bank is asked for the line's session, unless you give its ID."
        }
        button="Ask the bank"
        isRequired={sessionId === null}
        onChange={() => {
          setSought(undefined);
          onChange();
        }}
        onFind={(typed) => {
          onChange();
          setSought(typed === "" && sessionId !== null ? { session_id: sessionId } : { bank_transfer_id: typed });
        }}
      />
      <Stack gap="sm" aria-live="polite">
        {sought && <Answer {...{ id, bank, booked, sought, onCheck }} />}
      </Stack>
    </>
  );
}

type AnswerProps = Pick<Props, "id" | "bank" | "booked" | "onCheck"> & { sought: Sought };

function Answer({ id, bank, booked, sought, onCheck }: AnswerProps) {
  const { data, error, refetch } = useExactRead("partner-transfer", { bank, ...sought });
  if (!data) return error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading />;
  const { transfer } = data;
  if (!transfer)
    return (
      <Alert color="yellow" title="The bank knows no such transfer">
        Ask it for its ID of the transfer, as its notifications have it.
      </Alert>
    );
  const { bank_transfer_id, account_number, amount, payer_name } = transfer;
  const offer = { line: id, bank_transfer_id, account_number, amount, payer_name, paid_at: null };
  return (
    <>
      <Said {...transfer} />
      {transfer.arrived === booked ? (
        <Group>
          <Button variant="default" onClick={() => onCheck(offer)}>
            Show who gets it
          </Button>
        </Group>
      ) : (
        <Alert color="yellow" title="It is another transfer">
          The line is <Kobo kobo={booked} />, and not what arrived. Give the bank's ID of the line's transfer.
        </Alert>
      )}
    </>
  );
}

function Said({ bank_transfer_id, account_number, amount, arrived, session_id, payer_name, paid_at }: Transfer) {
  return (
    <Facts
      facts={[
        ["Bank's ID", bank_transfer_id],
        ["Account that was paid into", account_number],
        ["What the payer sent", <Kobo key="sent" kobo={amount} />],
        ["What arrived", <Kobo key="arrived" kobo={arrived} />],
        ["Payer", payer_name && <bdi key="payer">{payer_name}</bdi>],
        ["Paid", paid_at && <When key="paid" at={paid_at} exact />],
        ["Session ID", session_id],
      ]}
    />
  );
}
