import type {
  Balance,
  Bank,
  CheckoutSession,
  CollectionSuccess,
  CustomerAccount,
  OpenedCheckout,
  OpenPayment,
  Payment,
  ResolvedAccount,
  SimulationResult,
  Transfer,
} from "@collect/contracts";
import type { z } from "zod";

/** One example for each shape, out of one story: Ngozi Eze pays order-1001 of Ada Stores, who then pay a supplier. */

const AT = "2026-11-21T09:30:00.123+00:00";
const PAID_AT = "2026-11-21T09:34:12.480+00:00";
const EXPIRES_AT = "2026-11-21T10:00:00.123+00:00";
const PAYMENT = "pay_7Yk3pQ2mVd9sRw4tXb6nLc";

const account: z.input<typeof CustomerAccount> = {
  customer_reference: "cust_42",
  customer_name: "Ngozi Eze",
  account_number: "0000000419",
  account_name: "Ada Stores / Ngozi Eze",
  bank_name: "Test Bank",
  status: "active",
  mode: "test",
  created_at: AT,
};
const { account_number, account_name, bank_name } = account;

const order: z.input<typeof OpenPayment> = {
  amount: 2500,
  reference: "order-1001",
  customer_reference: "cust_42",
  customer_name: "Ngozi Eze",
  description: "Two bags of rice",
  redirect_url: "https://shop.example.com/thanks?order=1001",
};

const collection = { reference: PAYMENT, amount: 2500.73, fee: 25.01, net: 2475.72, paid_at: PAID_AT };
const payment: z.input<typeof Payment> = {
  reference: PAYMENT,
  merchant_reference: "order-1001",
  status: "paid",
  amount: 2500.73,
  amount_requested: 2500,
  amount_received: 2500.73,
  currency: "NGN",
  account_number,
  account_name,
  bank_name,
  checkout_url: `https://checkout.example.com/pay/${PAYMENT}`,
  collects: ["bank_transfer"],
  customer_reference: "cust_42",
  customer_name: "Ngozi Eze",
  description: "Two bags of rice",
  redirect_url: "https://shop.example.com/thanks?order=1001",
  collections: [collection],
  details_required: false,
  opened_by: "secret_key",
  payment_link: null,
  expires_at: EXPIRES_AT,
  created_at: AT,
  paid_at: PAID_AT,
  mode: "test",
};

const checkout: z.input<typeof CheckoutSession> = {
  reference: PAYMENT,
  status: "pending",
  mode: "test",
  merchant_name: "Ada Stores",
  description: "Two bags of rice",
  amount: 2500.73,
  amount_requested: 2500,
  amount_received: 0,
  currency: "NGN",
  account_number,
  account_name,
  bank_name,
  details_required: false,
  expires_at: EXPIRES_AT,
  server_time: AT,
  return_url: null,
  poll_after_ms: 3000,
};
const opened: z.input<typeof OpenedCheckout> = {
  ...checkout,
  account_number: null,
  account_name: null,
  bank_name: null,
  details_required: true,
  checkout_url: payment.checkout_url,
  merchant_reference: "order-1001",
};

const bank: z.input<typeof Bank> = { code: "000", name: "Test Bank", type: "test_bank" };
const supplier = { bank_code: "000", account_number: "0000000110" };
const resolved: z.input<typeof ResolvedAccount> = {
  ...supplier,
  bank_name: "Test Bank",
  account_name: "Adaeze Bello",
  mode: "test",
};
const payout = { amount: 1000, ...supplier, reference: "payout-7", narration: "Invoice 7" };
const transfer: z.input<typeof Transfer> = {
  reference: "trf_4Hq8wZ1cTn5kYx7pRj2mVb",
  merchant_reference: "payout-7",
  status: "success",
  amount: 1000,
  fee: 0,
  currency: "NGN",
  ...supplier,
  bank_name: "Test Bank",
  account_name: "Adaeze Bello",
  narration: "Invoice 7",
  failure_code: null,
  failure_reason: null,
  mode: "test",
  created_at: AT,
  completed_at: PAID_AT,
};
const failure = { failure_code: "declined", failure_reason: "The beneficiary's bank declined the transfer." };

const balance: z.input<typeof Balance> = {
  mode: "test",
  currency: "NGN",
  collected: 2475.72,
  settled: 0,
  as_of: AT,
  ledger_sequence: 1,
};
const simulation: z.input<typeof SimulationResult> = {
  outcome: "paid",
  credited: true,
  reference: PAYMENT,
  amount: 2500.73,
  account_number,
  message: "₦2,500.73 was credited. A webhook was queued.",
  mode: "test",
};
const collectionSuccess: z.input<typeof CollectionSuccess> = {
  event: "collection.success",
  mode: "test",
  created_at: PAID_AT,
  data: {
    ...collection,
    currency: "NGN",
    rail: "bank",
    customer_reference: "cust_42",
    customer_name: "Ngozi Eze",
    account_number,
    payer_name: "NGOZI EZE",
    payment_reference: PAYMENT,
    merchant_reference: "order-1001",
  },
};
const transferEvent = (status: string, more: object = {}) => ({
  event: `transfer.${status}`,
  mode: "test",
  created_at: PAID_AT,
  data: { ...transfer, status, ...more },
});
const page = { limit: 20, offset: 0, has_more: false, mode: "test" };

/** By the names of the shapes; a test holds each against its own. */
export const EXAMPLES: Readonly<Record<string, unknown>> = {
  Balance: balance,
  CustomerAccount: account,
  CustomerAccountList: { data: [account], ...page },
  Payment: payment,
  Bank: bank,
  BankList: { data: [bank, { code: "058", name: "Guaranty Trust Bank", type: "commercial_bank" }], mode: "test" },
  ResolvedAccount: resolved,
  Transfer: transfer,
  TransferList: { data: [transfer], ...page },
  SimulationResult: simulation,
  CheckoutSession: checkout,
  OpenedCheckout: opened,
  IssueCustomerAccountBody: { customer_reference: "cust_42", customer_name: "Ngozi Eze" },
  OpenPaymentBody: order,
  OpenCryptoPaymentBody: order,
  ResolveAccountBody: supplier,
  CreateTransferBody: payout,
  SimulatePaymentBody: { outcome: "paid" },
  SandboxPayBody: { outcome: "paid", payment_reference: PAYMENT },
  GiveCheckoutDetailsBody: { name: "Ngozi Eze", email: "ngozi@example.com" },
  ReportCheckoutSentBody: {},
  OpenCheckoutBody: {
    amount: 2500,
    reference: "order-1001",
    description: "Two bags of rice",
    redirect_url: "https://shop.example.com/thanks?order=1001",
  },
  CollectionSuccessEvent: collectionSuccess,
  TransferSuccessEvent: transferEvent("success"),
  TransferFailedEvent: transferEvent("failed", failure),
  TransferReversedEvent: transferEvent("reversed", {
    failure_code: "returned",
    failure_reason: "The beneficiary's bank returned the money.",
  }),
};
