import { timingSafeEqual } from "node:crypto";
import type { BankPartner, BankReport, NotificationOutcome, RequestIssuer } from "@collect/bank";
import { issueCustomerAccount, type Merchant, Problem, parseFields } from "@collect/contracts";
import type { Logger } from "@collect/runtime";
import { aMerchant } from "@collect/testing";
import { z } from "zod";
import { type AccountsWorld, aSerialPartner, startAccounts, useAccountsWorld } from "./world.ts";

/** The bank of our own protocol, whose account numbers begin with zeros. */
export const OWN = aSerialPartner("0");
/** What operators are shown that it can, and the hinting one. */
export const CAN = {
  own: {
    ...{ issues: "by_request", reports: ["credit", "reversal"], confirms_reports: false },
    ...{ finds_by_id: false, finds_by_session: false },
  },
  hinting: {
    ...{ issues: "by_request", reports: ["credit"], confirms_reports: true },
    ...{ finds_by_id: true, finds_by_session: true },
  },
};

type Confirm = (report: BankReport) => Promise<BankReport | undefined>;
export type Hinting = BankPartner & {
  /** What it was asked to confirm. */
  confirmed: BankReport[];
  /** How it answers; by default it confirms what was reported. */
  respond: Confirm;
  /** What it knows when it is asked for a transfer that it did not report. */
  known: BankReport[];
  issued: Parameters<RequestIssuer["issueAccount"]>[0][];
  issue: RequestIssuer["issueAccount"];
};

let serial = 0;
const TOKEN = "constant-signature";
const Hint = z.object({ id: z.string(), account: z.string(), kobo: z.coerce.bigint().positive() });

/**
 * A partner whose signature does not cover the body, so that every report is confirmed, and which is answered in its own words: 200
 * with a code. Its account numbers begin with nines.
 */
export function aHintingPartner(given: Partial<BankPartner> = {}): Hinting {
  const partner: Hinting = {
    id: "hinting",
    name: "Hinting Bank",
    confirmed: [],
    known: [],
    issued: [],
    respond: async (report) => report,
    issue: async ({ accountName }) => ({
      ...{ accountNumber: String(++serial).padStart(10, "9"), accountName: accountName.toUpperCase() },
      ...{ bankCode: "999", bankName: "A bank behind it" },
    }),
    issuer: {
      kind: "by_request",
      needs: [],
      issueAccount(request) {
        partner.issued.push(request);
        return partner.issue(request);
      },
    },
    notifications: {
      path: "/bank/hinting",
      reports: ["credit"],
      authenticate: ({ headers }) => {
        const token = Buffer.from(String(headers["x-auth-signature"]));
        return token.length === TOKEN.length && timingSafeEqual(token, Buffer.from(TOKEN));
      },
      parse: (body) => {
        const text = Buffer.from(body).toString();
        return text === "no money" ? undefined : aHint(parseFields(Hint, json(text)));
      },
      confirm(report) {
        partner.confirmed.push(report);
        return partner.respond(report);
      },
      answer: (outcome, report) => ({ status: 200, body: { code: CODES[outcome], id: report?.id ?? null } }),
    },
    lookup: {
      byId: async (id) => partner.known.find((each) => each.id === id),
      bySession: async (sessionId) => partner.known.find((each) => each.sessionId === sessionId),
    },
    check: async () => [{ name: "credentials", isOk: true, detail: "They are accepted." }],
    ...given,
  };
  return partner;
}

const CODES: Record<NotificationOutcome, string> = {
  ...{ accepted: "00", duplicate: "01", quarantined: "00", unallocated: "00" },
  ...{ rejected: "02", failed: "03" },
};

const aHint = ({ id, account, kobo }: z.output<typeof Hint>): BankReport => ({
  ...{ type: "credit", id, reverses: null, sessionId: null, settlementId: id, accountNumber: account },
  ...{ amount: kobo, bankFee: 0n, bankVat: 0n, currency: "NGN", narration: null, paidAt: null },
  payer: { name: "Chidi Eze", accountNumber: null, bankName: null },
});

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem("malformed_body", "The body is not valid JSON.");
  }
}

/** The partner as a client of its door. */
export async function hint({ doorUrl }: Pick<AccountsWorld, "doorUrl">, body: object | string, token = TOKEN) {
  const url = new URL("/bank/hinting", doorUrl);
  const sent = typeof body === "string" ? body : JSON.stringify(body);
  const response = await fetch(url, { method: "POST", headers: { "x-auth-signature": token }, body: sent });
  return { status: response.status, body: (await response.json()) as { code: string; id: string | null } };
}

export const aLiveMerchant = (): Merchant => ({ ...aMerchant("live"), name: "Acme Stores" });

type Identity = { bvn?: string; nin?: string };
export const issueTo = (
  { others }: Pick<AccountsWorld, "others">,
  merchant: Merchant,
  customer_reference: string,
  identity: Identity = {},
) => others.request(issueCustomerAccount, { merchant, customer_reference, customer_name: "Ada Obi", ...identity });

/** A log that keeps its lines. */
export function aLog(log: Logger): { log: Logger; lines: string[] } {
  const lines: string[] = [];
  const keep = (...parts: unknown[]) => void lines.push(JSON.stringify(parts, withErrors));
  const kept = Object.assign(Object.create(log), { debug: keep, info: keep, warn: keep, error: keep });
  return { log: kept, lines };
}

/** Errors with their causes, and amounts, as a log line shows them. */
function withErrors(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  return value instanceof Error ? { ...value, message: value.message, stack: value.stack, cause: value.cause } : value;
}

/** A world of its own, which issues at a hinting partner and has that of our own protocol beside it, and the lines of its log. */
export async function startWithPartner() {
  const partner = aHintingPartner();
  const alone = await useAccountsWorld();
  const { log, lines } = aLog(alone.log);
  const partners = { all: [OWN, partner], standard: partner, own: OWN.id };
  return { partner, lines, world: await startAccounts({ ...alone, log }, { partners }) };
}

/** The intake rows of this id, of every bank. */
export const rowsReported = async ({ owner }: Pick<AccountsWorld, "owner">, id: string) =>
  (await owner.query("select * from inbound_transfers where bank_transfer_id = $1 order by bank", [id])).rows;
