import { BANK_CODE_PATTERN, verifyCall } from "@collect/bank";
import { AccountNumber, Problem, parseFields } from "@collect/contracts";
import express, { type Request, type RequestHandler, Router } from "express";
import { z } from "zod";
import { type Behaviours, execute } from "../behaviour.ts";
import { parseJson } from "../parse.ts";
import { type Accounts, IssueAccount } from "./accounts.ts";
import { createNonces } from "./nonces.ts";
import { PayoutInstruction, type Payouts } from "./payouts.ts";

export const OPERATIONS = ["accounts", "name-enquiry", "payouts", "payout-enquiry"] as const;
export type Operation = (typeof OPERATIONS)[number];

const NameEnquiry = z.object({ bank_code: z.string().regex(BANK_CODE_PATTERN), account_number: AccountNumber });
const BODY_BYTES_MAX = 16_384;

type Bank = { accounts: Accounts; payouts: Payouts; behaviours: Behaviours<Operation>; secrets: readonly string[] };

/** The bank's API for partners. Every call is signed over method, path, time and raw body, and accepted once. */
export function partnerRoutes({ accounts, payouts, behaviours, secrets }: Bank): Router {
  const nonces = createNonces();
  const signed: RequestHandler[] = [
    express.raw({ type: () => true, limit: BODY_BYTES_MAX, inflate: false }),
    (request, _response, next) => {
      request.body ??= Buffer.alloc(0);
      const now = new Date();
      const { method, originalUrl: target, body, headers } = request;
      const nonce = verifyCall({ method, target, body }, headers, secrets, now);
      if (nonce && nonces.isNew(nonce, now)) return next();
      throw new Problem(
        "invalid_signature",
        "X-Bank-Signature is missing, too old, used before, or not of this method, path, time and body.",
      );
    },
  ];

  /** One call: parses and executes it, and responds according to the operation's behaviour. */
  function operation<Input>(
    name: Operation,
    read: (request: Request) => Input,
    work: (input: Input) => object,
  ): RequestHandler[] {
    return [
      ...signed,
      (request, response) => {
        const input = read(request);
        return execute(response, behaviours.next(name), { work: () => work(input), fail });
      },
    ];
  }
  const body =
    <Input>(schema: z.ZodType<Input>) =>
    (request: Request) =>
      parseFields(schema, parseJson(request.body));

  return Router()
    .post("/accounts", operation("accounts", body(IssueAccount), accounts.issue))
    .post(
      "/name-enquiry",
      operation("name-enquiry", body(NameEnquiry), (account) => {
        const accountName = accounts.nameOf(account);
        if (accountName === undefined) throw new Problem("not_found", "There is no such account.");
        return { ...account, account_name: accountName };
      }),
    )
    .post("/payouts", operation("payouts", body(PayoutInstruction), payouts.pay))
    .get(
      "/payouts/:id",
      operation("payout-enquiry", (request) => String(request.params.id), payouts.get),
    );
}

function fail(): never {
  throw new Problem("service_unavailable", "The bank is configured to fail.");
}
