import { Problem } from "@collect/contracts";
import { nuban } from "../nuban.ts";
import type { PayoutBank, PayoutState } from "../port.ts";

/**
 * The bank of test mode. Real codes begin at 001; no real bank has 000, so no test account can receive a real transfer.
 */
export const TEST_BANK = { code: "000", name: "Test Bank", type: "test_bank" } as const;

const SERIALS = 1_000_000_000n;

/**
 * The test bank's account number with this serial: instant and deterministic. The caller's sequence makes serials
 * unique. After 999,999,999 it throws, because wrapping around would give one number to two customers.
 */
export function testBankAccount(serial: bigint): string {
  if (serial < 0n || serial >= SERIALS) throw new RangeError(`the test bank has no account with serial ${serial}`);
  return nuban({ bankCode: TEST_BANK.code, serial: serial.toString().padStart(9, "0") });
}

/**
 * Payouts in test mode, to any bank: a merchant tries out the bank codes that it will use. The last serial digit (the ninth) of the
 * account number decides: 1 success, 2 failed, 3 a timeout and then success, 4 a timeout and then failed, 5 success and
 * then reversed, 6 an unknown account; the others succeed. It is stateless, so every replica gives the same responses.
 */
export function createTestBank(): PayoutBank {
  return {
    async nameOf({ accountNumber }) {
      return scriptOf(accountNumber) === "6" ? undefined : holderName(accountNumber);
    },
    async pay({ accountNumber }) {
      const script = scriptOf(accountNumber);
      if (script === "3" || script === "4")
        throw new Problem("provider_timeout", "The test bank times out for this account.");
      return script === "2" ? DECLINED : SUCCESS;
    },
    async enquire({ accountNumber }) {
      const script = scriptOf(accountNumber);
      if (script === "2" || script === "4") return DECLINED;
      return script === "5" ? RETURNED : SUCCESS;
    },
  };
}

const SUCCESS: PayoutState = { status: "success", failureCode: null, failureReason: null };
const DECLINED: PayoutState = {
  status: "failed",
  failureCode: "declined",
  failureReason: "The beneficiary's bank declined the transfer.",
};
const RETURNED: PayoutState = {
  status: "reversed",
  failureCode: "returned",
  failureReason: "The beneficiary's bank returned the money.",
};

const scriptOf = (accountNumber: string) => accountNumber[8];

const FIRST_NAMES = ["Adaeze", "Bola", "Chidi", "Dayo", "Emeka", "Funke", "Halima", "Ibrahim", "Ngozi", "Tunde"];
const LAST_NAMES = ["Adebayo", "Bello", "Chukwu", "Danjuma", "Eze", "Lawal", "Musa", "Nwosu", "Okafor", "Yusuf"];

function holderName(accountNumber: string): string {
  return `${FIRST_NAMES[Number(accountNumber[6])]} ${LAST_NAMES[Number(accountNumber[7])]}`;
}
