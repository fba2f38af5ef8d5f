import { naira, parseNaira } from "@collect/money";
import { z } from "zod";
import type { Journal } from "../journal.ts";
import { NairaAmount } from "../parse.ts";
import type { Statements } from "../statements.ts";
import { Refusal } from "./envelope.ts";
import { withOffset } from "./times.ts";

export const DisbursementOrder = z.object({
  amount: NairaAmount,
  reference: z.string().min(1).max(200),
  narration: z.string(),
  destinationBankCode: z.string().regex(/^\d{3,6}$/),
  destinationAccountNumber: z.string().regex(/^\d{10}$/),
  destinationAccountName: z.string().optional(),
  sourceAccountNumber: z.string(),
});
export type DisbursementOrder = z.output<typeof DisbursementOrder>;

export const STATUSES = ["SUCCESS", "PENDING", "FAILED", "REVERSED", "EXPIRED", "PENDING_AUTHORIZATION"] as const;

export const Disbursement = DisbursementOrder.extend({
  status: z.enum(STATUSES),
  reason: z.string(),
  created_at: z.string(),
});
export type Disbursement = z.output<typeof Disbursement>;

/**
 * The status of new disbursements from now on, or only of the next `times`: `PENDING_AUTHORIZATION` demands a one-time password.
 * A `refusal` is a code such as D04, and nothing is kept.
 */
export const DisbursementSetting = z.object({
  begin: z.enum(STATUSES).default("SUCCESS"),
  refusal: z
    .string()
    .regex(/^(D0\d|99)$/)
    .optional(),
  reason: z.string().max(200).default(""),
  times: z.int().min(1).max(1_000_000).optional(),
});
export type DisbursementSetting = z.output<typeof DisbursementSetting>;
export const DisbursementChange = z.object({ status: z.enum(STATUSES), reason: z.string().max(200).default("") });
export type DisbursementChange = z.output<typeof DisbursementChange>;

export type Disbursements = {
  send(order: DisbursementOrder): Disbursement;
  get(reference: string): Disbursement;
  set(setting: DisbursementSetting): void;
  change(reference: string, change: DisbursementChange): Disbursement;
  /** The last thousand, newest first. */
  sent(): Disbursement[];
  balance(accountNumber: string): { availableBalance: number; ledgerBalance: number };
};

const LISTED_MAX = 1_000;
export const WALLET_KOBO = 50_000_000_00n;
const MINIMUM_KOBO = 20_00n;
const NARRATION_MIN = 3;
const NORMAL: DisbursementSetting = { begin: "SUCCESS", reason: "" };
const HELD = ["SUCCESS", "PENDING", "PENDING_AUTHORIZATION"];

type Options = { walletAccountNumber: string; statements: Statements; journal: Journal<Disbursement>; nameOf: NameOf };
/** The holder of an account, by Monnify's code of its bank; undefined if there is none. */
export type NameOf = (account: { bankCode: string; accountNumber: string }) => string | undefined;

export function createDisbursements({ walletAccountNumber, statements, journal, nameOf }: Options): Disbursements {
  const byReference = new Map(journal.entries.map((disbursement) => [disbursement.reference, disbursement]));
  let setting: DisbursementSetting & { remaining: number } = { ...NORMAL, remaining: 0 };
  let available = [...byReference.values()].reduce((left, disbursement) => left - heldBy(disbursement), WALLET_KOBO);

  function store(disbursement: Disbursement): Disbursement {
    journal.append(disbursement);
    available += heldBy(byReference.get(disbursement.reference)) - heldBy(disbursement);
    byReference.set(disbursement.reference, disbursement);
    const { reference, status, narration } = disbursement;
    const amount = Number(kobo(disbursement.amount));
    statements.bookPayout({ reference, amount, narration, sessionId: null, hasLeft: status === "SUCCESS" });
    return disbursement;
  }

  function requireWallet(accountNumber: string): void {
    if (accountNumber !== walletAccountNumber)
      throw new Refusal(400, "Supplied account number does not belong to merchant", "D01");
  }

  function get(reference: string): Disbursement {
    const disbursement = byReference.get(reference);
    if (!disbursement) throw new Refusal(404, "Could not find disbursement transaction for given reference");
    return disbursement;
  }

  /** Nothing is kept of what is refused. */
  function refuse(order: DisbursementOrder): void {
    requireWallet(order.sourceAccountNumber);
    if (order.narration.length < NARRATION_MIN) throw new Refusal(400, "narration: size must be at least 3");
    if (kobo(order.amount) < MINIMUM_KOBO) throw new Refusal(400, "amount: must be greater than or equal to 20");
    if (byReference.has(order.reference)) throw new Refusal(400, "Supplied reference already exists!", "D05");
    if (available < kobo(order.amount)) throw new Refusal(400, "Insufficient wallet balance", "D04");
  }

  return {
    send(order) {
      refuse(order);
      const { begin, refusal, reason } = setting.remaining-- > 0 ? setting : NORMAL;
      if (refusal) throw new Refusal(400, reason || "Refused as configured", refusal);
      const { destinationBankCode: bankCode, destinationAccountNumber: accountNumber } = order;
      const destinationAccountName = nameOf({ bankCode, accountNumber });
      const created_at = new Date().toISOString();
      if (destinationAccountName === undefined)
        return store({ ...order, status: "FAILED", reason: "Invalid destination account number", created_at });
      return store({ ...order, destinationAccountName, status: begin, reason, created_at });
    },
    get,
    set({ times = Number.POSITIVE_INFINITY, ...given }) {
      setting = { ...given, remaining: times };
    },
    change: (reference, change) => store({ ...get(reference), ...change }),
    sent: () => [...byReference.values()].slice(-LISTED_MAX).reverse(),
    balance(accountNumber) {
      requireWallet(accountNumber);
      return { availableBalance: naira(available), ledgerBalance: naira(WALLET_KOBO) };
    },
  };
}

const kobo = (amount: number) => parseNaira(amount) ?? 0n;
const heldBy = (disbursement: Disbursement | undefined) =>
  disbursement && HELD.includes(disbursement.status) ? kobo(disbursement.amount) : 0n;

const common = (disbursement: Disbursement) => ({
  amount: disbursement.amount,
  reference: disbursement.reference,
  narration: disbursement.narration,
  currency: "NGN",
  destinationAccountNumber: disbursement.destinationAccountNumber,
  destinationAccountName: disbursement.destinationAccountName,
  destinationBankCode: disbursement.destinationBankCode,
  status: disbursement.status,
});

/** The response to an order. */
export const orderResponse = (disbursement: Disbursement) => ({
  ...common(disbursement),
  dateCreated: withOffset(new Date(disbursement.created_at)),
  totalFee: 20,
  ...(disbursement.reason && { comment: disbursement.reason }),
});

/** The response to an enquiry. */
export const summaryResponse = (disbursement: Disbursement) => ({
  ...common(disbursement),
  fee: 20,
  twoFaEnabled: disbursement.status === "PENDING_AUTHORIZATION",
  transactionDescription: disbursement.reason,
  createdOn: withOffset(new Date(disbursement.created_at)),
  sourceAccountNumber: disbursement.sourceAccountNumber,
});
