import { createHash } from "node:crypto";
import { readBody } from "@collect/http";
import { type Request, type RequestHandler, Router } from "express";
import { z } from "zod";
import { type Behaviours, execute } from "../behaviour.ts";
import { outcome, stackTrace } from "./answers.ts";
import type { Account, Books, Credit } from "./books.ts";
import { NOT_FOUND, transactionOf } from "./credits.ts";

export const COLLECTION_OPERATIONS = ["create", "rename", "blacklist", "verify", "repush"] as const;
type Operation = (typeof COLLECTION_OPERATIONS)[number];

export type Collections = {
  credentials: { clientId: string; clientSecret: string };
  books: Books;
  behaviours: Behaviours<Operation>;
  /** Notifies a transfer again. */
  repush(credit: Credit): void;
};

const BODY_BYTES_MAX = 16_384;
const FAILED = outcome("03", "Error Completing Operation");
const REFUSED = {
  account_number: "",
  account_name: "",
  ...outcome("05", "Authentication Failed"),
  initiationTranRef: "",
};

/** The headers of every message, in both directions. */
export const signedHeaders = ({ clientId, clientSecret }: Collections["credentials"]) => ({
  "client-id": clientId,
  "x-auth-signature": createHash("sha512").update(`${clientId}:${clientSecret}`).digest("hex"),
});

const Create = z.object({ account_name: z.string().trim().min(1), bvn: z.string() });
const Rename = z.object({ account_number: z.string(), account_name: z.string().trim().min(1) });
const Blacklist = z.object({
  account_number: z.string(),
  blacklist_flg: z.union([z.literal(0), z.literal(1)]).default(1),
});
const Repush = z.object({ session_id: z.string(), settlement_id: z.string() });

/** The collection service: reserved accounts, and questions about transfers. */
export function collectionRoutes(collections: Collections): Router {
  const { books, behaviours } = collections;
  const operation =
    <Input>(name: Operation, schema: z.ZodType<Input>, work: (input: Input) => object): RequestHandler =>
    (request, response) => {
      const input = schema.safeParse(request.method === "GET" ? request.query : request.body);
      const done = () => (input.success ? work(input.data) : FAILED);
      return execute(response, behaviours.next(name), { work: done, fail: () => stackTrace(response) });
    };
  const verify = (find: (id: string) => Credit | undefined) => (id: string) => {
    const credit = find(id);
    return credit ? transactionOf(credit, "plain") : NOT_FOUND;
  };
  const bySettlement = z.object({ settlement_id: z.string() }).transform(({ settlement_id }) => settlement_id);
  const bySession = z.object({ session_id: z.string() }).transform(({ session_id }) => session_id);

  return Router()
    .use(readBody({ maxBytes: BODY_BYTES_MAX }), signed(collections.credentials))
    .post(
      "/PiPCreateReservedAccountNumber",
      operation("create", Create, (given) => create(books, given)),
    )
    .post(
      "/PiPUpdateAccountName",
      operation("rename", Rename, (given) => rename(books, given)),
    )
    .post(
      "/PiPBlacklistAccount",
      operation("blacklist", Blacklist, (given) => blacklist(books, given)),
    )
    .get("/PiPverifyTransaction_settlementid", operation("verify", bySettlement, verify(books.credits.get)))
    .get("/PiPverifyTransaction", operation("verify", bySession, verify(books.creditOf)))
    .post(
      "/PiP_RepushTransaction_SettlementId",
      operation("repush", Repush, (given) => repush(collections, given)),
    );
}

/** The bank refuses a wrong signature with status 200. */
function signed(credentials: Collections["credentials"]): RequestHandler {
  const headers = Object.entries(signedHeaders(credentials));
  return (request: Request, response, next) => {
    if (headers.every(([name, value]) => request.get(name)?.toLowerCase() === value.toLowerCase())) return next();
    response.json(REFUSED);
  };
}

function create(books: Books, { account_name, bvn }: z.output<typeof Create>): object {
  const { accountNumber, accountName } = books.openAccount(account_name);
  const account = { account_number: accountNumber, account_name: accountName, bvn };
  return { ...account, ...outcome("00", "Reserved Account Generated Successfully") };
}

function rename(books: Books, { account_number, account_name }: z.output<typeof Rename>): object {
  return change(books, account_number, { accountName: `MERCHANT(${account_name})` });
}

function blacklist(books: Books, { account_number, blacklist_flg }: z.output<typeof Blacklist>): object {
  const isBlacklisted = blacklist_flg === 1;
  if (books.accounts.get(account_number)?.isBlacklisted && isBlacklisted)
    return outcome("02", "account number already blcklisted");
  return change(books, account_number, { isBlacklisted });
}

function change(books: Books, accountNumber: string, changes: Partial<Account>): object {
  const account = books.accounts.get(accountNumber);
  if (!account) return FAILED;
  books.accounts.put({ ...account, ...changes });
  return outcome("00", "OPERATION SUCCESSFUL");
}

function repush({ books, repush: again }: Collections, given: z.output<typeof Repush>): object {
  const credit = books.credits.get(given.settlement_id) ?? books.creditOf(given.session_id);
  const account = { account_number: "", account_name: "", initiationTranRef: "" };
  if (!credit) return { ...account, ...outcome("01", "Transaction not found!!!") };
  again(credit);
  return { ...account, ...outcome("00", "OPERATION SUCCESSFUL") };
}
