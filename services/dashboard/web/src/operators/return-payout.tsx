import { Alert, Group, Stack } from "@mantine/core";
import { useState } from "react";
import { SectionCard } from "../components/section-card.tsx";
import { ActDialog } from "./act-dialog.tsx";
import type { Read } from "./api.ts";
import { FindForm } from "./find-form.tsx";
import { FoundPayout, type Payout } from "./found-payout.tsx";
import { Kobo } from "./kobo.tsx";
import type { Merchant } from "./with-merchant.tsx";

type Line = Read<"lines/:line">;
type Props = { id: string; line: Line; isOffered: boolean };

/**
 * Gives a payout back to its merchant that the bank returned and does not say so, or takes that back while it is not carried out. Whose it is is
 * shown first.
 */
export function ReturnPayout({ id, line, isOffered }: Props) {
  const [sought, setSought] = useState<string>();
  return (
    <SectionCard
      title="Return a payout to its merchant"
      lead="For a payout that came back after its success without a word of the bank: its merchant gets the money back. Have the bank confirm which payout it is."
    >
      {isOffered && (
        <FindForm
          label="Payout's ID"
          description="Ours, which begins with trf_: the bank has it as the reference."
          button="Show the payout"
          initial={line.offer?.is_return ? line.offer.bank_transfer_id : ""}
          onChange={() => setSought(undefined)}
          onFind={setSought}
        />
      )}
      <Stack gap="sm" aria-live="polite">
        {sought !== undefined && (
          <FoundPayout reference={sought}>
            {(payout, merchant) => <Acts key={sought} {...{ id, line, isOffered, payout, merchant }} />}
          </FoundPayout>
        )}
      </Stack>
    </SectionCard>
  );
}

function Acts({ id, line, isOffered, payout, merchant }: Props & { payout: Payout; merchant: Merchant }) {
  const { merchant_id, reference, account_number, bank_code, amount } = payout;
  const isOfAmount = amount === line.amount;
  const inputOf = (reason: string) => ({ merchant_id, reference, line: id, reason });
  return (
    <>
      {!isOfAmount && (
        <Alert color="yellow" title="It is another payout">
          The line is <Kobo kobo={line.amount} />, and not the amount of the payout. Give the ID of the line's payout.
        </Alert>
      )}
      <Group gap="xs">
        <ActDialog
          subject="payments.payouts.return"
          label="Return the payout"
          isOffered={isOffered && isOfAmount}
          isDangerous
          effect={
            <>
              <Kobo kobo={amount} /> goes back to <bdi>{merchant.name}</bdi>, whose payout {reference} to{" "}
              {account_number} at {bank_code} came back. What was given back can't be taken back here.
            </>
          }
          reason="How you know that it is this payout"
          inputOf={inputOf}
          resultOf={({ status }) => `The payout is ${status}. Within a minute or two it is matched with the line.`}
        />
        <ActDialog
          subject="payments.payouts.take_back_return"
          label="Take back the return"
          isOffered={isOffered}
          effect="For a return that named the wrong payout or line and was not carried out: both are free for another one then. What was given back stays."
          reason="Reason"
          inputOf={inputOf}
          resultOf={({ status }) => `Taken back. The payout is ${status}, and the line is not kept for it.`}
        />
      </Group>
    </>
  );
}
