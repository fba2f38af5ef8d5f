import type { ActResponse, ReadResponse, RowOf } from "../src/api/calls.ts";

/** Records as the services return them; a test sets only the fields that matter to it. */

const AT = "2026-11-21T10:00:00.000+00:00";

export const aBalance = (changed: Partial<ReadResponse<"balance">> = {}): ReadResponse<"balance"> => ({
  mode: "test",
  currency: "NGN",
  collected: 0,
  settled: 10_000,
  as_of: AT,
  ledger_sequence: 1,
  ...changed,
});

type Collection = RowOf<"collections">;
export const aCollection = (changed: Partial<Collection> = {}): Collection => ({
  reference: "col_1",
  amount: 2500.73,
  fee: 25.01,
  net: 2475.72,
  currency: "NGN",
  customer_reference: "cust_42",
  customer_name: "Ngozi Eze",
  account_number: "0123456789",
  payer: { id: "7", name: "Emeka Obi", account_number: "9876543210", bank_name: "Zenith Bank" },
  payment_reference: null,
  merchant_reference: null,
  paid_at: AT,
  received_at: AT,
  created_at: AT,
  attached_at: null,
  mode: "test",
  ...changed,
});

type Payment = ReadResponse<"sessions/:reference">["payment"];
type Session = ReadResponse<"sessions/:reference">;
export const aSession = (payment: Partial<Payment> = {}, changed: Partial<Omit<Session, "payment">> = {}): Session => ({
  payment: {
    reference: "pay_1",
    merchant_reference: "order-1",
    status: "pending",
    amount: 2500.07,
    amount_requested: 2500,
    amount_received: 0,
    currency: "NGN",
    account_number: "0123456789",
    account_name: "Ada Stores",
    bank_name: "Test Bank",
    checkout_url: "http://localhost:4100/pay_1",
    collects: ["bank_transfer"],
    customer_reference: null,
    customer_name: null,
    description: null,
    redirect_url: null,
    collections: [],
    details_required: false,
    opened_by: "secret_key",
    payment_link: null,
    created_at: AT,
    expires_at: "2026-11-21T10:30:00.000+00:00",
    paid_at: null,
    metadata: {},
    mode: "test",
    ...payment,
  },
  payer: null,
  sent_at: null,
  watch_until: "2026-11-22T10:30:00.000+00:00",
  ...changed,
});

type Transfer = ReadResponse<"transfers/:reference/timeline">["transfer"];
export const aTransfer = (changed: Partial<Transfer> = {}): Transfer => ({
  reference: "trf_1",
  merchant_reference: "payout-1",
  status: "pending",
  amount: 1500,
  fee: 0,
  currency: "NGN",
  bank_code: "000",
  bank_name: "Test Bank",
  account_number: "0000000011",
  account_name: "Test Success",
  narration: null,
  failure_code: null,
  failure_reason: null,
  metadata: {},
  mode: "test",
  created_at: AT,
  completed_at: null,
  ...changed,
});

type RecordedEvent = NonNullable<ReadResponse<"transfers/:reference/timeline">["events"]>[number];
export const anEvent = (changed: Partial<RecordedEvent> = {}): RecordedEvent => ({
  sequence: 12,
  event: "collection.success",
  reference: "col_1",
  amount: 2500.73,
  created_at: AT,
  delivery: { number: 5, status: "pending", attempts: 0, last_status: null, next_attempt_at: null },
  tried: [],
  ...changed,
});

type Attempt = RecordedEvent["tried"][number];
export const anAttempt = (changed: Partial<Attempt> = {}): Attempt => ({
  number: 5,
  attempt: 1,
  started_at: AT,
  duration_ms: 80,
  status: 200,
  error: null,
  ...changed,
});

export const aNamedAccount = (
  changed: Partial<ActResponse<"transfers/resolve">> = {},
): ActResponse<"transfers/resolve"> => ({
  bank_code: "000",
  bank_name: "Test Bank",
  account_number: "0000000011",
  account_name: "Test Success",
  mode: "test",
  ...changed,
});

export const aVerification = (changed: Partial<ReadResponse<"verification">> = {}): ReadResponse<"verification"> => ({
  merchant_id: "mer_1",
  merchant_name: "Ada Stores",
  state: "draft",
  details: {},
  settlement_account_name: null,
  settlement_bank_name: null,
  reason: null,
  submitted_at: null,
  decided_at: null,
  suspension: null,
  ...changed,
});
