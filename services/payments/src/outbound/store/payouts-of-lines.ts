import type { PayoutNaming } from "@collect/contracts";
import { query, type Session } from "@collect/database";

export type PayoutOfLine = {
  reference: string;
  merchant_id: string;
  account_number: string;
  status: "pending" | "success" | "failed" | "reversed";
  named_by: PayoutNaming;
  others: string[];
};

/** For how long after its end a bank is asked about a payout, and may still execute one that was ended as failed. */
const LATE_DAYS = 7;
const LAGOS = "at time zone 'Africa/Lagos'";

/** A retry of a failed payout has its amount and account, too: any of them may be the one that the bank executed. */
const CANDIDATES_MAX = 20;

/** Each branch is a lookup in an index. What was never sent is no line of a bank, unless it names it. */
const find = query<Omit<PayoutOfLine, "others">>(`
  with found as (
    select reference, 'reference' as named_by, 1 as place from transfers where reference = any($1::text[])
    union all select reference, 'session', 2 from transfers where session_id is not null and session_id = any($2::text[])
    union all select reference, 'beneficiary', 3 from transfers
    where step <> 'refused' and account_number <> '' and account_number = any($3::text[]) and amount = $4
      and sent_at < ($5::date + 1)::timestamp ${LAGOS}
      and (step = 'sending'
        or (verdict = 'failed' and coalesce(completed_at >= ($5::date - ${LATE_DAYS})::timestamp ${LAGOS}, true)))
  )
  select reference, merchant_id, account_number, coalesce(verdict, status) as status, named_by
  from found join transfers using (reference) where mode = 'live' and step <> 'refused'
  order by place, created_at desc limit ${CANDIDATES_MAX}`);

type Naming = { references: string[]; sessions: string[]; accounts: string[]; amount: bigint; bookedOn: string };

/**
 * The live payout that a line names, however it stands; or that it may be because it has the amount and the account of one that the bank has not
 * answered, or that had failed when the line was booked, or in the days before.
 */
export async function findPayoutOfLine(
  tx: Session,
  { references, sessions, accounts, amount, bookedOn }: Naming,
): Promise<PayoutOfLine | undefined> {
  const [found, ...rest] = await find(tx, [references, sessions, accounts, amount, bookedOn]);
  if (!found) return undefined;
  return { ...found, others: found.named_by === "beneficiary" ? rest.map(({ reference }) => reference) : [] };
}
