export { createHttpPartner, type HttpPartnerOptions } from "./http-partner.ts";
export { BankTransfer } from "./notification.ts";
export { BANK_CODE_PATTERN, checkDigit, isNuban, nuban } from "./nuban.ts";
export type { Bank, IssuedAccount } from "./port.ts";
export { SIGNATURE_HEADER, signBody, verifySignature } from "./signature.ts";
export { TEST_BANK, testBankAccount } from "./test-bank.ts";
