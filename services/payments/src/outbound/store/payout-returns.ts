import { randomUUID } from "node:crypto";
import { type Session, statement } from "@collect/database";
import { RETURNED, type Return, type Transfer } from "../domain/transfer.ts";
import { TRANSFER_COLUMNS } from "./transfers.ts";

/**
 * The line that statements may keep for the return of a payout, stored before it is asked. An act and its repeats have one `id`; its taking back
 * is another, which none of them can pass, and after which the next act has a new one.
 */
export type ReturnFence = { line: string; id: string; is_taken_back: boolean };
type Fenced = { fence: ReturnFence };
type Claim = { line: string; reference: string };

const show = statement<Transfer>(`
  select ${TRANSFER_COLUMNS} from transfers t where reference = $1 and mode = 'live' and step <> 'refused'`);
/** Of whichever merchant: an operator has the id from the line, and sees whose it is. */
export async function findPayout(tx: Session, reference: string): Promise<Transfer | undefined> {
  const [found] = await show(tx, [reference]);
  return found;
}

const aFence = (line: string, isTakenBack: boolean) =>
  JSON.stringify({ line, id: randomUUID(), is_taken_back: isTakenBack } satisfies ReturnFence);

const PAID = "reference = $1 and mode = 'live' and step = any($2::text[]) and status = $3 and verdict = $3";
const paid = (reference: string) => [reference, ["booked", "told"], "success"];

const begin = statement<Fenced>(`
  update transfers set return_fence = coalesce(return_fence, $5::jsonb)
  where ${PAID} and coalesce(return_fence ->> 'line' = $4 and not (return_fence -> 'is_taken_back')::boolean, true)
  returning return_fence as fence`);
/** Undefined if the payout is no success any more, or if another line is fenced, or this one is being taken back. */
export async function beginReturn(tx: Session, { reference, line }: Claim): Promise<ReturnFence | undefined> {
  const [row] = await begin(tx, [...paid(reference), line, aFence(line, false)]);
  return row?.fence;
}

const store = statement<Transfer>(`
  update transfers t set step = 'decided', verdict = $4, failure_code = $5, failure_reason = $6, returned = $7, attempts = 0,
    follow_up_at = null, next_at = clock_timestamp(), return_fence = null
  where ${PAID} and return_fence = $8::jsonb
  returning ${TRANSFER_COLUMNS}`);
/** The ledger books the reversal next. Undefined if it is reversed already, by the bank's answer or by this; or if the act was taken back. */
export async function storeReturn(
  tx: Session,
  reference: string,
  { returned, fence }: { returned: Return; fence: ReturnFence },
): Promise<Transfer | undefined> {
  const { end, failureCode, failureReason } = RETURNED;
  const verdict = [end, failureCode, failureReason, JSON.stringify(returned)];
  const [stored] = await store(tx, [...paid(reference), ...verdict, JSON.stringify(fence)]);
  return stored;
}

const takeBack = statement<Fenced>(`
  update transfers set return_fence = $3::jsonb
  where reference = $1 and mode = 'live' and verdict is distinct from 'reversed' and coalesce(return_fence ->> 'line', $2) = $2
  returning return_fence as fence`);
/** From now on no act returns the payout with this line, until that is ended. Undefined if it is reversed, or if another line is fenced. */
export async function beginTakingBack(tx: Session, { reference, line }: Claim): Promise<ReturnFence | undefined> {
  const [row] = await takeBack(tx, [reference, line, aFence(line, true)]);
  return row?.fence;
}

const end = statement("update transfers set return_fence = null where reference = $1 and return_fence = $2::jsonb");
/** statements has no claim of it any more: unless another one takes it back, an act may begin. */
export const endTakingBack = (tx: Session, reference: string, fence: ReturnFence) =>
  end(tx, [reference, JSON.stringify(fence)]);

const find = statement<{ line: string | null }>(
  "select return_fence ->> 'line' as line from transfers where reference = $1 and mode = 'live'",
);
export const findFencedLine = async (tx: Session, reference: string): Promise<string | null> =>
  (await find(tx, [reference]))[0]?.line ?? null;
