import { ActDialog } from "./act-dialog.tsx";
import type { Read } from "./api.ts";
import { dayWords } from "./day-words.ts";
import { Kobo } from "./kobo.tsx";

type Account = Read<"bank-accounts">["accounts"][number];

/** What ends the waiting of days for an account: one without statements is removed, another one ends, and its end can be taken back. */
export function EndAccount(account: Account) {
  const { number, to, last_day } = account;
  return (
    <>
      <ActDialog
        subject="statements.account.remove"
        label={`Remove ${number}`}
        isOffered={to === null}
        isDangerous
        effect="For an account that was named by mistake: it has no statements, and no day waits for it anymore."
        reason="Reason"
        inputOf={(reason) => ({ number, reason })}
      />
      <End {...account} />
      <ActDialog
        subject="statements.account.continue"
        label={`Continue ${number}`}
        isOffered={last_day !== null}
        effect={`Its end on ${dayWords(last_day ?? "")} is taken back, and every day after it waits for a statement of the account again. This is possible while none of those days is closed and no other account has taken its place.`}
        reason="Reason"
        inputOf={(reason) => ({ number, reason })}
      />
    </>
  );
}

function End({ number, to, closing, last_day, page_missing }: Account) {
  const residue = closing !== null && closing !== "0" ? closing : undefined;
  return (
    <ActDialog
      subject="statements.account.end"
      label={`End ${number}`}
      isOffered={to !== null && last_day === null}
      isDangerous
      effect={
        <>
          {dayWords(to ?? "")} is its last day: it takes no more statements, and later days close without it. The first
          of them shows its end and your reason. Another person closes that day than the one who ends the account.
          {page_missing && " The last page of its last statement is missing."}
          {residue !== undefined && (
            <>
              {" "}
              Its last statement leaves <Kobo kobo={residue} /> at the bank. That is a line of the day&apos;s
              difference, and stays in our books. If a statement that shows where it went can still come, upload that
              first.
            </>
          )}
        </>
      }
      reason="Reason"
      inputOf={(reason) => ({
        ...{ number, last_day: to ?? "", reason },
        ...((residue !== undefined || page_missing) && { residue: closing ?? "0" }),
      })}
    />
  );
}
