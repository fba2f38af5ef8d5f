import { nuban } from "./nuban.ts";

/** The bank of test mode. Real codes begin at 001: no real bank has 000, so no test account can receive a real transfer. */
export const TEST_BANK = { code: "000", name: "Test Bank" } as const;

const SERIALS = 1_000_000_000n;

/**
 * The test bank's account with this serial: instant, and the same number for the same serial. Serials come from a
 * sequence of the caller, which makes them unique. After 999,999,999 there are none left and it throws, because to
 * begin again would give one number to two customers.
 */
export function testBankAccount(serial: bigint): string {
  if (serial < 0n || serial >= SERIALS) throw new RangeError(`the test bank has no account with serial ${serial}`);
  return nuban({ bankCode: TEST_BANK.code, serial: serial.toString().padStart(9, "0") });
}
