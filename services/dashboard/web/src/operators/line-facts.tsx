import { Facts } from "../components/facts.tsx";
import { When } from "../components/when.tsx";
import type { Read } from "./api.ts";
import { dayWords } from "./day-words.ts";
import { Kobo } from "./kobo.tsx";

type Line = Read<"lines/:line">;

/** A line of a statement, and what it is kept for. */
export function LineFacts({ line }: { line: Line }) {
  const { account, bank, booked_on, amount, session_id, references, narration, paid_at, offer } = line;
  return (
    <Facts
      facts={[
        ["Amount", <Kobo key="amount" kobo={amount} />],
        ["State", stateOf(line)],
        ["Account", `${account} at ${bank}`],
        ["Booked on", dayWords(booked_on)],
        ["Paid", paid_at && <When key="paid" at={paid_at} exact />],
        ["Narration", <bdi key="narration">{narration}</bdi>],
        ["Session ID", session_id],
        ["References", references.join(", ") || null],
        ["Kept for", offer && <Offered key="offered" {...offer} />],
      ]}
    />
  );
}

function stateOf({ is_matched, is_own }: Line): string {
  if (is_matched) return "Matched: our books have it";
  return is_own ? "Our own money or a charge given back, by a reason on its day" : "In no match";
}

function Offered({
  bank_transfer_id,
  account_number,
  amount,
  offered_at,
  is_return,
  is_reversal,
}: NonNullable<Line["offer"]>) {
  if (is_reversal)
    return (
      <>
        A credit that the bank took back: <Kobo kobo={amount} /> of a transfer into {account_number},{" "}
        <When at={offered_at} />
      </>
    );
  if (is_return)
    return (
      <>
        The return of the payout {bank_transfer_id}, <When at={offered_at} />
      </>
    );
  return (
    <>
      A transfer with the bank's ID <bdi>{bank_transfer_id}</bdi>: <Kobo kobo={amount} />, paid into {account_number},{" "}
      <When at={offered_at} />
    </>
  );
}
