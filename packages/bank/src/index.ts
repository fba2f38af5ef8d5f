export { BANKS, hasCheckDigits, type ListedBank } from "./banks.ts";
export { CALL_WINDOW_S, signCall, verifyCall } from "./local/call-signature.ts";
export { BankTransfer } from "./local/notification.ts";
export { createLocalPartner, createLocalPayoutPartner, type LocalPartner } from "./local/partner.ts";
export { createLocalPayouts } from "./local/payouts.ts";
export { SIGNATURE_HEADER, signBody, verifySignature } from "./local/signature.ts";
export type { MonnifyAccess } from "./monnify/client.ts";
export {
  createMonnify,
  createMonnifyPayoutPartner,
  type MonnifyOptions,
  type MonnifyPartner,
} from "./monnify/partner.ts";
export { nipCodeOf } from "./nip-codes.ts";
export { BANK_CODE_PATTERN, isNuban, nuban } from "./nuban.ts";
export { UNCERTAIN } from "./payout-states.ts";
export type {
  AccountIssuer,
  AccountRequest,
  BankPartner,
  BankReport,
  IssuedAccount,
  NotificationOutcome,
  Notifications,
  PartnerCheck,
  Payout,
  PayoutBank,
  PayoutNotice,
  PayoutPartner,
  PayoutState,
  PoolIssuer,
  ReportKind,
  RequestIssuer,
  SettledTransfer,
  SettlementNotice,
  TransferLookup,
} from "./port.ts";
export { NotOpened } from "./port.ts";
export {
  createProvidus,
  createProvidusPayoutPartner,
  type ProvidusOptions,
  type ProvidusPartner,
} from "./providus/partner.ts";
export { createProvidusPayouts, type ProvidusPayoutOptions } from "./providus/payouts.ts";
export { arePartnersComplete, defaultPartner, PARTNER_SETTINGS, settingsOf } from "./settings.ts";
export { createTestBank, TEST_BANK, testBankAccount } from "./test-bank/test-bank.ts";
