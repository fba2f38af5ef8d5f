import { getOwnBalances } from "@collect/contracts";
import type { Stack } from "../stack.ts";

/** What is at the bank, what banks have charged us, and our own money there, as the ledger has it: in naira, of live mode. */
export async function booksOf({ bus }: Stack) {
  const { modes } = await bus.request(getOwnBalances, {});
  const { bank = 0, bank_charges = 0, own_funds = 0 } = modes.find(({ mode }) => mode === "live") ?? {};
  return { bank, charges: bank_charges, own: own_funds };
}
