/** `non_interest_bank` and `merchant_bank` are deposit money banks with a separate license. */
type BankType =
  | "deposit_money_bank"
  | "non_interest_bank"
  | "merchant_bank"
  | "microfinance_bank"
  | "payment_service_bank"
  | "mobile_money_operator"
  | "test_bank";

export type ListedBank = { code: string; name: string; type: BankType };

/**
 * Banks of Nigeria that money can be sent to, sorted by name. Compiled on 2026-11-21 from:
 * - deposit money banks and their licenses: the Central Bank of Nigeria's list of 2024-04-26, without Heritage Bank,
 * whose license was revoked on 2024-06-03;
 * - codes: github.com/supermx1/nigerian-banks-api (commit 005eb44, Paystack's list with sort codes, 2023),
 * github.com/ichtrojan/nigerian-banks (commit 16dbe8d) and the npm package ng-banks 2.1.1; 103 is the head of Globus
 * Bank's sort code 103015001, 106 (Signature Bank) is from later copies of Paystack's list;
 * - microfinance banks: 9 and their five-digit code, according to the Central Bank's revised NUBAN standard of 2020.
 * Omitted: entries that these sources disagree about, and codes that are neither three nor six digits. The partner bank
 * has the final say: an account that it cannot resolve cannot be paid.
 */
export const BANKS: readonly ListedBank[] = [
  { code: "120001", name: "9 Payment Service Bank", type: "payment_service_bank" },
  { code: "044", name: "Access Bank", type: "deposit_money_bank" },
  { code: "023", name: "Citibank Nigeria", type: "deposit_money_bank" },
  { code: "559", name: "Coronation Merchant Bank", type: "merchant_bank" },
  { code: "050", name: "Ecobank Nigeria", type: "deposit_money_bank" },
  { code: "070", name: "Fidelity Bank", type: "deposit_money_bank" },
  { code: "011", name: "First Bank of Nigeria", type: "deposit_money_bank" },
  { code: "214", name: "First City Monument Bank", type: "deposit_money_bank" },
  { code: "501", name: "FSDH Merchant Bank", type: "merchant_bank" },
  { code: "103", name: "Globus Bank", type: "deposit_money_bank" },
  { code: "058", name: "Guaranty Trust Bank", type: "deposit_money_bank" },
  { code: "120002", name: "Hope Payment Service Bank", type: "payment_service_bank" },
  { code: "301", name: "Jaiz Bank", type: "non_interest_bank" },
  { code: "082", name: "Keystone Bank", type: "deposit_money_bank" },
  { code: "950211", name: "Kuda Microfinance Bank", type: "microfinance_bank" },
  { code: "303", name: "Lotus Bank", type: "non_interest_bank" },
  { code: "120003", name: "MoMo Payment Service Bank", type: "payment_service_bank" },
  { code: "950515", name: "Moniepoint Microfinance Bank", type: "microfinance_bank" },
  { code: "999992", name: "OPay", type: "mobile_money_operator" },
  { code: "107", name: "Optimus Bank", type: "deposit_money_bank" },
  { code: "100002", name: "Paga", type: "mobile_money_operator" },
  { code: "999991", name: "PalmPay", type: "mobile_money_operator" },
  { code: "104", name: "Parallex Bank", type: "deposit_money_bank" },
  { code: "076", name: "Polaris Bank", type: "deposit_money_bank" },
  { code: "105", name: "PremiumTrust Bank", type: "deposit_money_bank" },
  { code: "101", name: "Providus Bank", type: "deposit_money_bank" },
  { code: "502", name: "Rand Merchant Bank", type: "merchant_bank" },
  { code: "951113", name: "Safe Haven Microfinance Bank", type: "microfinance_bank" },
  { code: "106", name: "Signature Bank", type: "deposit_money_bank" },
  { code: "120004", name: "SmartCash Payment Service Bank", type: "payment_service_bank" },
  { code: "951310", name: "Sparkle Microfinance Bank", type: "microfinance_bank" },
  { code: "221", name: "Stanbic IBTC Bank", type: "deposit_money_bank" },
  { code: "068", name: "Standard Chartered Bank Nigeria", type: "deposit_money_bank" },
  { code: "232", name: "Sterling Bank", type: "deposit_money_bank" },
  { code: "100", name: "SunTrust Bank Nigeria", type: "deposit_money_bank" },
  { code: "302", name: "TAJ Bank", type: "non_interest_bank" },
  { code: "102", name: "Titan Trust Bank", type: "deposit_money_bank" },
  { code: "032", name: "Union Bank of Nigeria", type: "deposit_money_bank" },
  { code: "033", name: "United Bank for Africa", type: "deposit_money_bank" },
  { code: "215", name: "Unity Bank", type: "deposit_money_bank" },
  { code: "035", name: "Wema Bank", type: "deposit_money_bank" },
  { code: "057", name: "Zenith Bank", type: "deposit_money_bank" },
];

/**
 * Mobile money operators and payment service banks use the holder's phone number as account number, without a check
 * digit.
 */
export function hasCheckDigits({ type }: ListedBank): boolean {
  return type !== "mobile_money_operator" && type !== "payment_service_bank";
}
