import { BANKS, hasCheckDigits, isNuban, type ListedBank, TEST_BANK } from "@collect/bank";
import type { Mode } from "@collect/contracts";

/** Banks that transfers can be sent to. In test mode the test bank comes first; it also plays all the others. */
export function banksOf(mode: Mode): readonly ListedBank[] {
  return mode === "test" ? TEST_BANKS : BANKS;
}

const TEST_BANKS: readonly ListedBank[] = [TEST_BANK, ...BANKS];

/** The bank of an account; undefined when the account cannot exist, which is known without calling the bank. */
export function bankOf(mode: Mode, account: { bank_code: string; account_number: string }): ListedBank | undefined {
  const bank = banksOf(mode).find(({ code }) => code === account.bank_code);
  if (!bank) return undefined;
  return !hasCheckDigits(bank) || isNuban(bank.code, account.account_number) ? bank : undefined;
}
