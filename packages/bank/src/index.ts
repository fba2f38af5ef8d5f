export { BANKS, hasCheckDigits, type ListedBank } from "./banks.ts";
export { CALL_WINDOW_S, signCall, verifyCall } from "./call-signature.ts";
export { createHttpPartner } from "./http-partner.ts";
export { BankNotice, BankTransfer, isBankNotice } from "./notification.ts";
export { BANK_CODE_PATTERN, isNuban, nuban } from "./nuban.ts";
export type { AccountIssuer, Payout, PayoutBank, PayoutState } from "./port.ts";
export { SIGNATURE_HEADER, signBody, verifySignature } from "./signature.ts";
export { createTestBank, TEST_BANK, testBankAccount } from "./test-bank.ts";
