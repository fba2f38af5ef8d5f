import { Alert } from "@mantine/core";
import { Failure } from "../components/failure.tsx";
import { Loading } from "../components/loading.tsx";
import { type Input, useExactRead } from "./api.ts";
import { PayoutFacts } from "./payout-facts.tsx";
import { Recipient } from "./recipient.tsx";

/** What a proposal is about, where its input has only ids of it: who would be credited, and which payout it decides. */
export function ProposedAbout({ subject, body }: { subject: string; body: string }) {
  if (subject === "accounts.missed_transfer.report") return <Credit offer={JSON.parse(body)} />;
  if (subject === "payments.payouts.end" || subject === "payments.payouts.repeat")
    return <Payout order={JSON.parse(body)} />;
  return null;
}

function Credit({ offer }: { offer: Input<"accounts.missed_transfer.report"> }) {
  const { data: line, error, refetch } = useExactRead("lines/:line", { line: offer.line });
  if (!line) return error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading />;
  return <Recipient bank={line.bank} account={offer.account_number} amount={offer.amount} arrived={line.amount} />;
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
