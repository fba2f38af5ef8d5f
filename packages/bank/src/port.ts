import type { IncomingHttpHeaders } from "node:http";
import { Problem } from "@collect/contracts";
import type { ListedBank } from "./banks.ts";

/**
 * A partner bank, or an aggregator of several banks. What one of them cannot do is absent, so that the compiler asks every
 * user of this port about it.
 */
export type BankPartner = {
  /**
   * The name under which its accounts, transfers and payouts are stored. It never changes: intake ids derive from it. For our
   * own protocol it is the bank's code.
   */
  id: string;
  /** As merchants and payers see it; issued accounts may name another bank. */
  name: string;
  issuer: AccountIssuer;
  notifications: Notifications;
  /** Absent for a partner that cannot be asked for what was paid into our accounts. */
  lookup?: TransferLookup;
  /** Absent for a partner that receives only. */
  payouts?: PayoutBank;
  /** Proves the configured credentials without moving money or opening an account. */
  check(): Promise<PartnerCheck[]>;
};

/** One thing that was tried. `detail` never contains a credential or a person's data. */
export type PartnerCheck = { name: string; isOk: boolean; detail: string };

/**
 * How customers' accounts are issued. All calls throw the Problem `provider_timeout` if it is unknown whether the bank acted,
 * `provider_error` if its response is a refusal or invalid, `identity_required` without the number that it needs.
 */
export type AccountIssuer = RequestIssuer | PoolIssuer;

export type RequestIssuer = Identified & {
  kind: "by_request";
  /** Opens an account in this name, or returns the one opened earlier under the same request id: safe to repeat. */
  issueAccount(request: AccountRequest): Promise<IssuedAccount>;
};

/** The partner has no idempotency key: accounts are opened ahead, and given out by renaming them. */
export type PoolIssuer = Identified & {
  kind: "from_pool";
  /**
   * Opens an account in a provisional name. NOT safe to repeat: after `provider_timeout` or `provider_error` one account may be
   * lost at the bank, unless it is `NotOpened`.
   */
  openAccount(request: { accountName: string; signal?: AbortSignal }): Promise<IssuedAccount>;
  /** Returns the name as payers will see it. Safe to repeat. */
  renameAccount(request: { accountNumber: string; accountName: string; signal?: AbortSignal }): Promise<string>;
};

/** The bank opened no account: it refused, or nothing of the call was sent. `reason` has no more of its answer than its code. */
export class NotOpened extends Problem {
  readonly reason: string;
  constructor(reason: string) {
    super("provider_error", "The partner bank did not open an account.");
    this.reason = reason;
  }
}

type Identified = {
  /** The numbers of a person of which the partner needs one. Empty if it needs none. */
  needs: readonly ("bvn" | "nin")[];
};

export type AccountRequest = {
  requestId: string;
  accountName: string;
  /** Passed through to the partner: never stored in clear, never logged, never part of an error. */
  identity?: { bvn?: string; nin?: string };
  signal?: AbortSignal;
};

export type IssuedAccount = { accountNumber: string; accountName: string; bankCode: string; bankName: string };

/**
 * What a partner reports to the bank door, in the order in which the door uses it: authenticate, parse, confirm, commit,
 * answer.
 */
export type Notifications = {
  /** The path of the door for this partner, such as `/bank/providus`. */
  path: string;
  /** All that `parse` ever gives of this partner. What is not among it shows in its statement, or when it is asked. */
  reports: readonly ReportKind[];
  /** Whether the request is the partner's. Compares in constant time. */
  authenticate(request: { headers: IncomingHttpHeaders; body: Uint8Array }): boolean;
  /** The most bytes of a body, where the partner reports more at once than a transfer. */
  bodyMaxBytes?: number;
  /** Throws a Problem with the fields at fault. Undefined for a report that concerns no money of ours. */
  parse(body: Uint8Array): BankReport | SettlementNotice | PayoutNotice | undefined;
  /**
   * Asks the partner for the transfer that a report names, where the signature does not cover the body; the report itself is a
   * hint only. Undefined if the partner does not know it. Throws `provider_timeout` or `provider_error`. Absent where the
   * signature covers the body.
   */
  confirm?(report: BankReport): Promise<BankReport | undefined>;
  /**
   * The partner's own words for each outcome. `rejected`: not authentic or malformed, now and at every repeat; `failed`: not
   * confirmed or not committed, try again.
   * Undefined where the partner reads our problem document instead.
   */
  answer(outcome: NotificationOutcome, report?: BankReport): { status: number; body: object } | undefined;
};

/** `payout`: that something became of a payout. */
export type ReportKind = "credit" | "reversal" | "settlement" | "payout";

/** What the partner says when we ask, also of a transfer that it never reported. All calls throw `provider_timeout` or `provider_error`. */
export type TransferLookup = {
  /** The transfer with this id of its notifications; undefined if the partner does not know it. */
  byId(id: string): Promise<BankReport | undefined>;
  /** The same by the session id of NIP. Absent for a partner that does not look for that. */
  bySession?(sessionId: string): Promise<BankReport | undefined>;
};

export type NotificationOutcome = "accepted" | "duplicate" | "quarantined" | "unallocated" | "rejected" | "failed";

/** A credit, or a credit that the bank took back, in any partner's protocol. Amounts in kobo, times in UTC. */
export type BankReport = {
  /** `credit`, `reversal`, or another type of report, which is never credited. */
  type: string;
  /** The partner's id of this transfer: a report with the same id is the same transfer. */
  id: string;
  /** What a reversal takes back, where the partner names it: the id of the credit. */
  reverses: string | null;
  /** The 30 digits of NIP, or what the partner has in their place. */
  sessionId: string | null;
  settlementId: string | null;
  /** The request id under which the account was issued that was paid into, where the partner names it: another account is not that one. */
  reservation?: string;
  /** Empty in a reversal whose partner names only the credit: it is the credit's. */
  accountNumber: string;
  /** What the payer sent. */
  amount: bigint;
  /** What the bank kept of it: `amount − bankFee − bankVat` reached our account. */
  bankFee: bigint;
  bankVat: bigint;
  currency: string;
  payer: { name: string; accountNumber: string | null; bankName: string | null };
  narration: string | null;
  /** Null where the partner does not say. */
  paidAt: string | null;
};

/** The partner paid the net of these transfers into our account in one sum: nothing of them changes but that they belong together. */
export type SettlementNotice = {
  /** By which a statement of the account names it. */
  settlementId: string;
  settled: SettledTransfer[];
};

/** What a settlement says of a transfer: what the partner answers later, asked for it by this id, must not contradict that. */
export type SettledTransfer = {
  /** The partner's id of it, as in its own report. */
  id: string;
  /** What the payer sent, in kobo; null where the settlement does not say. */
  amount: bigint | null;
  /** As in `BankReport`. */
  reservation: string | null;
};

/** The partner says that something became of a payout: a reason to ask about it, and no more. */
export type PayoutNotice = { payoutId: string };

/** What a service that only pays out needs of a partner. */
export type PayoutPartner = Pick<BankPartner, "id" | "name" | "check"> & { payouts: PayoutBank };

/** The port to a bank that sends payouts. Bank codes are ours (`BANKS`); the adapter translates them. */
export type PayoutBank = {
  /**
   * The account holder's name, for an account at any bank; undefined if the account does not exist. Throws the Problem
   * `provider_timeout` or `provider_error`.
   */
  nameOf(account: { bankCode: string; accountNumber: string }): Promise<string | undefined>;
  /**
   * Sends money. If it throws, it is unknown whether the bank has acted: look the payout up, never send it again.
   */
  pay(payout: Payout): Promise<PayoutState>;
  /**
   * Looks up a payout's status by its id. Undefined only if the bank says that it does not have it: the payout fails as not received
   * if the bank keeps saying so. What the bank has, or may have, is a state. Throws like `nameOf`.
   */
  enquire(payout: Payout): Promise<PayoutState | undefined>;
  /** The banks of `BANKS` that the partner does not list: a payout to one would fail. Absent for a partner that has no list. */
  unlistedBanks?(): Promise<ListedBank[]>;
};

/** Has our own id, so that the bank can recognize a repeat. Amount in kobo. */
export type Payout = {
  id: string;
  bankCode: string;
  accountNumber: string;
  /** The holder's name, as `nameOf` found it. */
  accountName: string;
  amount: bigint;
  narration: string | null;
};

export type PayoutState = {
  /** Only a definite refusal is `failed`: whatever leaves room for doubt is `pending`, and asked again. */
  status: "pending" | "success" | "failed" | "reversed";
  /**
   * Pending, and the bank may never say more: it answers the same for a payout that it never received, or reports a failure without
   * a definite reason. It is asked again until an operator ends the payout. The bank refuses our id a second time, so that
   * ordering it there again pays once.
   */
  isUncertain?: true;
  /** The session id of NIP under which it was paid, by which a statement of the bank names it; absent where the partner says none. */
  sessionId?: string;
  /** The bank's reason, if it failed or was reversed. */
  failureCode: string | null;
  failureReason: string | null;
};
