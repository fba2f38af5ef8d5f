/**
 * The values that the examples of the merchant API share. They tell one story: Ngozi Eze, a customer of Ada Stores, pays order-1001, and Ada
 * Stores pays a supplier once the collection is settled.
 */

export const CREATED_AT = "2026-11-21T09:30:00.123+00:00";
export const PAID_AT = "2026-11-21T09:34:12.480+00:00";
export const EXPIRES_AT = "2026-11-21T10:00:00.123+00:00";
/** The next day, after the settlement. */
const PAYOUT_AT = "2026-11-22T08:15:30.250+00:00";
const PAYOUT_SENT_AT = "2026-11-22T08:15:31.940+00:00";

/** The customer of Ada Stores. */
export const CUSTOMER = { customer_reference: "cust_42", customer_name: "Ngozi Eze" };

/** Her permanent account. */
export const ACCOUNT = { account_number: "0000000419", account_name: "Ada Stores / Ngozi Eze", bank_name: "Test Bank" };

/** Her order, as Ada Stores requests the payment. */
export const ORDER = {
  amount: 2500,
  reference: "order-1001",
  description: "Two bags of rice",
  redirect_url: "https://shop.example.com/thanks?order=1001",
};

/** What Ada Stores keeps with an object for itself. */
export const METADATA = { branch: "yaba" };

/** The payment session of the order. */
export const SESSION = {
  reference: "pay_7Yk3pQ2mVd9sRw4tXb6nLc",
  amount: 2500.73,
  checkout_url: "https://checkout.example.com/pay/pay_7Yk3pQ2mVd9sRw4tXb6nLc",
};

/** Her transfer that paid it. */
export const COLLECTION = { reference: SESSION.reference, amount: 2500.73, fee: 25.01, net: 2475.72, paid_at: PAID_AT };

/** A transfer of hers without the kobo, which matched nothing until Ada Stores attached it to the order. */
export const ATTACHED = { reference: "col_5tRq9ZkW2mXc7nVb4yLd8p", amount: 2500, fee: 25, net: 2475, paid_at: PAID_AT };

/** The event of it in the log of Ada Stores. */
export const EVENT = { id: "evt_SohEH6k6ydW37bCdDh6wZB", sequence: 42 };

/** The settlement of it, on the next morning. */
export const SETTLEMENT = {
  id: "stl_9b2d83650a1c7e424f7a0c1e",
  amount: COLLECTION.net,
  currency: "NGN",
  cut_off: "2026-11-22T05:00:00.000+00:00",
  created_at: "2026-11-22T05:00:01.204+00:00",
  mode: "test",
};

/** The supplier's bank account, and the name it is held in. */
export const SUPPLIER = { bank_code: "000", account_number: "0000000110" };
export const SUPPLIER_NAMES = { bank_name: "Test Bank", account_name: "Adaeze Bello" };

/** The payout that Ada Stores requests, and the resulting transfer. */
export const PAYOUT = { amount: 1000, ...SUPPLIER, reference: "payout-7", narration: "Invoice 7", metadata: METADATA };
export const TRANSFER = {
  reference: "trf_4Hq8wZ1cTn5kYx7pRj2mVb",
  merchant_reference: PAYOUT.reference,
  status: "success",
  amount: PAYOUT.amount,
  fee: 0,
  currency: "NGN",
  ...SUPPLIER,
  ...SUPPLIER_NAMES,
  narration: PAYOUT.narration,
  failure_code: null,
  failure_reason: null,
  metadata: METADATA,
  mode: "test",
  created_at: PAYOUT_AT,
  completed_at: PAYOUT_SENT_AT,
};

/** A page that contains the whole list. */
export const ONE_CURSOR_PAGE = { limit: 20, has_more: false, next: null, mode: "test" };

/** The same of a list that also goes by offset. */
export const ONE_PAGE = { ...ONE_CURSOR_PAGE, offset: 0 };
