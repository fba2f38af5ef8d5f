import { type getLineOffer, type Input, Problem, type Result, type releaseLine as release } from "@collect/contracts";
import { type Pool, transaction } from "@collect/database";
import { lockBankAccount } from "../store/bank-accounts.ts";
import { deleteOffer, isMatchedAs, readOffer } from "../store/offers.ts";
import { readLine } from "../store/statements.ts";
import type { Refresh } from "./refresh.ts";

/**
 * An offer that may be withdrawn: what accounts has credited under its id by now would be matched with its line. If the line is matched with a
 * transfer of another id, as when that was reported after the offer was made, accounts alone knows whether the offer is credited: it decides.
 */
export async function findOffer(
  { pool, refresh }: { pool: Pool; refresh: Refresh },
  { line: id, bank_transfer_id }: Input<typeof getLineOffer>,
): Promise<Result<typeof getLineOffer>> {
  await refresh();
  const [line, offer] = [await readLine(pool, id), await readOffer(pool, id)];
  if (!line || offer?.bank_transfer_id !== bank_transfer_id || offer.is_return)
    throw new Problem("not_found", "The line is not offered under this id.");
  if (await isMatchedAs(pool, id, bank_transfer_id))
    throw new Problem("conflict", "The line is matched with the transfer of this id: its offer stays.");
  return { bank: line.bank, session_id: line.session_id, offered_at: offer.offered_at };
}

/** accounts has decided before that it never credits this offer. */
export function releaseLine(pool: Pool, given: Input<typeof release>): Promise<void> {
  return transaction(pool, async (tx) => {
    const line = await readLine(tx, given.line);
    if (!line) return;
    await lockBankAccount(tx, line.account);
    await deleteOffer(tx, given);
  });
}
