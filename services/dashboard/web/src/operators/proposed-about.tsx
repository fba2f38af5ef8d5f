import { Alert } from "@mantine/core";
import { Fragment } from "react";
import { Facts } from "../components/facts.tsx";
import { Failure } from "../components/failure.tsx";
import { Loading } from "../components/loading.tsx";
import { type Input, useExactRead } from "./api.ts";
import { FoundPayout } from "./found-payout.tsx";
import { LineFacts } from "./line-facts.tsx";
import { MerchantLink } from "./merchant-link.tsx";
import { PayoutFacts } from "./payout-facts.tsx";
import { ReceivedTransfer } from "./received-transfer.tsx";
import { Recipient } from "./recipient.tsx";
import { WithMerchant } from "./with-merchant.tsx";

/** What a proposal is about, where its input has only ids of it: who would be credited or debited, by which line, and which payout it decides. */
export function ProposedAbout({ subject, body }: { subject: string; body: string }) {
  if (subject === "accounts.transfer.allocate") return <Allocation order={JSON.parse(body)} />;
  if (subject === "accounts.missed_transfer.report") return <Credit offer={JSON.parse(body)} />;
  if (subject === "payments.payouts.end" || subject === "payments.payouts.repeat")
    return <Payout order={JSON.parse(body)} />;
  if (subject === "accounts.missed_reversal.report") return <Reversal reversal={JSON.parse(body)} />;
  if (subject === "payments.payouts.return" || subject === "payments.payouts.take_back_return")
    return <Return payout={JSON.parse(body)} />;
  return null;
}

function Allocation({ order: { intake_id, merchant } }: { order: Input<"accounts.transfer.allocate"> }) {
  return (
    <>
      <WithMerchant id={merchant.id}>
        {({ id, name }) => (
          <Facts
            facts={[
              [
                "To be credited",
                <MerchantLink key="merchant" id={id}>
                  <bdi>{name}</bdi>
                </MerchantLink>,
              ],
            ]}
          />
        )}
      </WithMerchant>
      <ReceivedTransfer by={{ intake_id }} mode={merchant.mode} />
    </>
  );
}

function Credit({ offer }: { offer: Input<"accounts.missed_transfer.report"> }) {
  const { data: line, error, refetch } = useExactRead("lines/:line", { line: offer.line });
  if (!line) return error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading />;
  return <Recipient bank={line.bank} account={offer.account_number} amount={offer.amount} arrived={line.amount} />;
}

function Reversal({ reversal }: { reversal: Input<"accounts.missed_reversal.report"> }) {
  const { line, intake_id, amount, despite_payouts } = reversal;
  return (
    <>
      <Line line={line} />
      <ReceivedTransfer by={{ intake_id }} taken={amount} />
      {despite_payouts?.map((reference) => (
        <Fragment key={reference}>
          <Alert color="yellow" title="The line may be this payout, and is said not to be" />
          <FoundPayout reference={reference} />
        </Fragment>
      ))}
    </>
  );
}

function Return({ payout: { line, reference } }: { payout: Input<"payments.payouts.return"> }) {
  return (
    <>
      <Line line={line} />
      <FoundPayout reference={reference} />
    </>
  );
}

function Line({ line: id }: Pick<Input<"payments.payouts.return">, "line">) {
  const { data: line, error, refetch } = useExactRead("lines/:line", { line: id });
  if (!line) return error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading />;
  return <LineFacts line={line} />;
}

function Payout({ order: { reference, sent_at } }: { order: Input<"payments.payouts.repeat"> }) {
  const { data, error, refetch } = useExactRead("payouts/unanswered", { reference });
  if (!data) return error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading />;
  const listed = data.payouts.find((payout) => payout.sent_at === sent_at);
  if (listed) return <PayoutFacts {...listed} />;
  // One that was ended before, and is ended once more, was never listed.
  if (sent_at === null) return null;
  return <Alert color="yellow">The bank has answered meanwhile, or the payout was ordered again since.</Alert>;
}
