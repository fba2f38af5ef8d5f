import type { BankPartner, BankReport } from "@collect/bank";
import type { Bus } from "@collect/bus";
import { type findPartnerTransfer, getStatementLine, type Input, Problem, type Result } from "@collect/contracts";
import { arrivedOf, contradictionOf, type Offered } from "../domain/offers.ts";

export type Confirming = { bus: Bus; partners: readonly Pick<BankPartner, "id" | "lookup">[] };

/** `report` is what the partner says; undefined where it cannot be asked. */
export type ConfirmedOffer = { bank: string; report: BankReport | undefined };

/**
 * What the partner, asked by us, says of the transfer that an operator offers. It is asked before the line is claimed: what it does not know, or
 * contradicts, leaves the line free. Nothing is held meanwhile, so without an answer the same is safe to repeat.
 */
export async function confirmOffer(
  { bus, partners }: Confirming,
  { line: id, ...offered }: Offered & { line: string },
): Promise<ConfirmedOffer> {
  const line = getStatementLine.output.parse(await bus.request(getStatementLine, { line: id }));
  const partner = partners.find((each) => each.id === line.bank);
  // Under another bank's name the same transfer would be another one.
  if (!partner) throw new Problem("not_found", "The line is of a bank that is no partner.");
  if (!partner.lookup) return { bank: line.bank, report: undefined };
  const report = await partner.lookup.byId(offered.bank_transfer_id);
  if (!report) throw new Problem("not_found", "The bank knows no transfer with this id.");
  const contradiction = contradictionOf(offered, line, report);
  if (contradiction)
    throw new Problem(
      "offer_contradicts_partner",
      `The bank says something else than the offer: ${contradiction.field} is ${contradiction.bank}.`,
    );
  return { bank: line.bank, report };
}

/** What the operator is shown before an offer: by the id, if one is given, or by the session that the line names. */
export async function findAtPartner(
  partners: Confirming["partners"],
  { bank, bank_transfer_id, session_id }: Input<typeof findPartnerTransfer>,
): Promise<Result<typeof findPartnerTransfer>> {
  const lookup = partners.find(({ id }) => id === bank)?.lookup;
  const asked_by = lookup ? ASKED_BY.filter((by) => by === "bank_transfer_id" || lookup.bySession) : [];
  if (bank_transfer_id !== undefined) return { asked_by, transfer: shown(await lookup?.byId(bank_transfer_id)) };
  if (session_id !== undefined) return { asked_by, transfer: shown(await lookup?.bySession?.(session_id)) };
  return { asked_by, transfer: null };
}

const ASKED_BY = ["bank_transfer_id", "session_id"] as const;

function shown(report: BankReport | undefined): Result<typeof findPartnerTransfer>["transfer"] {
  if (!report) return null;
  const { id, accountNumber, amount, sessionId, payer, paidAt } = report;
  return {
    ...{ bank_transfer_id: id, account_number: accountNumber, amount, arrived: arrivedOf(report) },
    ...{ session_id: sessionId, payer_name: payer.name, paid_at: paidAt },
  };
}
