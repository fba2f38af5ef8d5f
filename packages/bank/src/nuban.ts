/**
 * Nigerian account numbers (NUBAN): a serial of nine digits and a check digit that depends on the bank's code as well.
 * Codes have three digits, or six in the newer scheme, where an old code is padded to `000` + code. The weights
 * 3, 7, 3 repeat every three digits, so that the padding changes no check digit.
 */

const WEIGHTS = [3, 7, 3] as const;
/** The format of a bank code. */
export const BANK_CODE_PATTERN = /^(\d{3}|\d{6})$/;
const SERIAL = /^\d{9}$/;
const ACCOUNT_NUMBER = /^\d{10}$/;

/** The number a bank gives to the account with this serial. */
export function nuban({ bankCode, serial }: { bankCode: string; serial: string }): string {
  return `${serial}${checkDigit(bankCode, serial)}`;
}

/** Whether the account number is valid for this bank: ten digits with the right check digit. */
export function isNuban(bankCode: string, accountNumber: string): boolean {
  return ACCOUNT_NUMBER.test(accountNumber) && nuban({ bankCode, serial: accountNumber.slice(0, 9) }) === accountNumber;
}

/**
 * (10 − Σ mod 10) mod 10 over the weighted digits of code and serial. Throws if the bank code or the serial is invalid.
 */
export function checkDigit(bankCode: string, serial: string): number {
  if (!BANK_CODE_PATTERN.test(bankCode)) throw new RangeError(`a bank code has 3 or 6 digits, not "${bankCode}"`);
  if (!SERIAL.test(serial)) throw new RangeError(`a serial has 9 digits, not "${serial}"`);
  const digits = [...bankCode.padStart(6, "0"), ...serial].map(Number);
  const sum = digits.reduce((total, digit, position) => total + digit * (WEIGHTS[position % 3] ?? 0), 0);
  return (10 - (sum % 10)) % 10;
}
