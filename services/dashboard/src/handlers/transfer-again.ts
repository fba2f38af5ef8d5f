import { browseTransfers, createTransfer, Problem, showTransfer, type WireResult } from "@collect/contracts";
import type { Call } from "../http/call.ts";
import { readStates, setDone } from "../store/inbox.ts";

type Calling = Omit<Call<unknown>, "input">;
type Transfer = WireResult<typeof showTransfer>["transfer"];
type Unpaid = Transfer & { status: "failed" | "reversed" };

/**
 * Sends the money of a transfer that failed or was reversed once more. Its own reference is part of the new order's, so that two
 * members, or a repeat after a lost response, send it once.
 */
export async function sendAgain(call: Call<{ reference: string }>) {
  const { deps, member, input, request } = call;
  const { merchant, user_id: userId } = member;
  const { transfer } = await request(showTransfer, { merchant, reference: input.reference });
  if (!isUnpaid(transfer))
    throw new Problem("conflict", "Only a transfer that failed or was reversed can be sent again.");
  const { status: kind, amount, bank_code, account_number, narration, metadata } = transfer;
  const reference = `again-${transfer.reference}`;
  // In this order: what another member sends again in between is found, and returned.
  const reason = await reasonAgainst(call, transfer);
  if (reason !== undefined && !(await isOrdered(call, reference))) throw new Problem("conflict", reason);
  const again = await request(createTransfer, {
    ...{ merchant, amount, bank_code, account_number, metadata, ...(narration && { narration }) },
    reference,
  });
  // If this process dies here the item stays open, and the same act finds the order that was made.
  const note = `Sent again as ${again.transfer.reference}`;
  await setDone(deps.pool, merchant, { kind, reference: transfer.reference, userId, note });
  return again;
}

const isUnpaid = (transfer: Transfer): transfer is Unpaid =>
  transfer.status === "failed" || transfer.status === "reversed";

/** Why it must not be sent again: a person has decided otherwise, or the money was sent another way. */
async function reasonAgainst(call: Calling, transfer: Unpaid): Promise<string | undefined> {
  const { reference, status: kind, failure_code } = transfer;
  if (failure_code === "approval_declined")
    return "A member of your team declined this transfer. To pay it after all, create a new one under Send money.";
  const states = await readStates(call.deps.pool, call.member.merchant, { kind, references: [reference] });
  if (states.get(reference)?.done)
    return "This transfer is marked as done. If it still has to be paid, reopen it in the Inbox first.";
  return paidOtherwise(call, transfer);
}

/**
 * Looks for a later transfer of the same amount to the same account that was paid, or may still be. What is pending is read first: what
 * ends in between is found among the others.
 */
async function paidOtherwise({ member: { merchant }, request }: Calling, unpaid: Unpaid): Promise<string | undefined> {
  const { amount, bank_code, account_number, created_at } = unpaid;
  const asked = {
    ...{ merchant, bank_code, account_number, amount_from: amount, amount_to: amount },
    ...{ from: justAfter(created_at), limit: "1" },
  };
  for (const status of ["pending", "success"] as const) {
    const { data } = await request(browseTransfers, { ...asked, status });
    const [paid] = data;
    if (paid)
      return `Transfer ${paid.reference} of the same amount to the same account was created later, and ${status === "pending" ? "may still be paid" : "was paid"}. Nothing was sent. If this one has to be paid as well, create it under Send money.`;
  }
  return undefined;
}

/** Times of transfers have milliseconds. */
const justAfter = (instant: string) => new Date(Date.parse(instant) + 1).toISOString();

async function isOrdered({ member: { merchant }, request }: Calling, reference: string): Promise<boolean> {
  const { data } = await request(browseTransfers, { merchant, search: reference });
  return data.some(({ merchant_reference }) => merchant_reference === reference);
}
