import { Anchor } from "@mantine/core";
import { useState } from "react";
import { Link, useParams } from "react-router";
import { Failure } from "../../components/failure.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { type Read, useExactRead } from "../api.ts";
import { CreditLine } from "../credit-line.tsx";
import { dayWords } from "../day-words.ts";
import { LineFacts } from "../line-facts.tsx";
import { ReturnPayout } from "../return-payout.tsx";
import { ReverseTransfer } from "../reverse-transfer.tsx";

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
          <LineFacts line={line} />
          <Acts key={id} {...{ id, line }} isOffered={!line.is_matched && !line.is_own} />
          <Anchor component={Link} to={`/days/${line.booked_on}`} size="sm">
            The day {dayWords(line.booked_on)}
          </Anchor>
        </>
      )}
    </Page>
  );
}

/** Nothing for a line that is matched, or our own money. An act that has matched it stays until its outcome was read. */
function Acts(offered: { id: string; line: Read<"lines/:line">; isOffered: boolean }) {
  const [isShown, setIsShown] = useState(offered.isOffered);
  if (offered.isOffered && !isShown) setIsShown(true);
  if (!isShown) return null;
  if (BigInt(offered.line.amount) < 0n) return <ReverseTransfer {...offered} />;
  return (
    <>
      <CreditLine {...offered} />
      <ReturnPayout {...offered} />
    </>
  );
}
