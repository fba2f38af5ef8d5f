import { Anchor } from "@mantine/core";
import { Link, useParams } from "react-router";
import { Facts } from "../../components/facts.tsx";
import { Failure } from "../../components/failure.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { When } from "../../components/when.tsx";
import { type Read, useExactRead } from "../api.ts";
import { CreditLine } from "../credit-line.tsx";
import { dayWords } from "../day-words.ts";
import { Kobo } from "../kobo.tsx";

/** A line of a statement, and what can be done about one that is in no match. */
export default function LinePage() {
  const { line: id = "" } = useParams();
  const { data: line, error, refetch } = useExactRead("lines/:line", { line: id });
  return (
    <Page title={`Line ${id}`} lead="A line of a bank's statement.">
      {error && <Failure error={error} isOld={line !== undefined} onRetry={() => void refetch()} />}
      {!line && !error && <Loading />}
      {line && (
        <>
          <Line {...line} />
          {BigInt(line.amount) > 0n && <CreditLine key={id} {...{ id, line }} isOffered={!line.is_matched} />}
          <Anchor component={Link} to={`/days/${line.booked_on}`} size="sm">
            The day {dayWords(line.booked_on)}
          </Anchor>
        </>
      )}
    </Page>
  );
}

function Line({
  account,
  bank,
  booked_on,
  amount,
  session_id,
  references,
  narration,
  is_matched,
  paid_at,
}: Read<"lines/:line">) {
  return (
    <Facts
      facts={[
        ["Amount", <Kobo key="amount" kobo={amount} />],
        ["State", is_matched ? "Matched: our books have it" : "In no match"],
        ["Account", `${account} at ${bank}`],
        ["Booked on", dayWords(booked_on)],
        ["Paid", paid_at && <When key="paid" at={paid_at} exact />],
        ["Narration", <bdi key="narration">{narration}</bdi>],
        ["Session ID", session_id],
        ["References", references.join(", ") || null],
      ]}
    />
  );
}
