import { setTimeout as sleep } from "node:timers/promises";
import { BANK_CODE_PATTERN, SIGNATURE_HEADER, verifySignature } from "@collect/bank";
import { AccountNumber, Problem } from "@collect/contracts";
import express, { type Request, type RequestHandler, type Response, Router } from "express";
import { z } from "zod";
import { type Accounts, IssueAccount } from "./accounts.ts";
import type { Behaviour, Behaviours, Operation } from "./behaviour.ts";
import { parse, parseJson } from "./parse.ts";
import { PayoutInstruction, type Payouts } from "./payouts.ts";

const NameEnquiry = z.object({ bank_code: z.string().regex(BANK_CODE_PATTERN), account_number: AccountNumber });
const BODY_BYTES_MAX = 16_384;

type Bank = { accounts: Accounts; payouts: Payouts; behaviours: Behaviours; secret: string };

/** The bank's API for partners. Every call is signed over its raw body; a GET signs an empty body. */
export function partnerRoutes({ accounts, payouts, behaviours, secret }: Bank): Router {
  const signed: RequestHandler[] = [
    express.raw({ type: () => true, limit: BODY_BYTES_MAX, inflate: false }),
    (request, _response, next) => {
      request.body ??= Buffer.alloc(0);
      if (verifySignature(request.body, request.headers[SIGNATURE_HEADER], secret)) return next();
      throw new Problem("invalid_signature", "X-Bank-Signature is missing or does not match the body.");
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
        const behaviour = behaviours.next(name);
        if (behaviour.behaviour === "fail") throw new Problem("service_unavailable", "The bank is configured to fail.");
        return respond(response, behaviour, work(input));
      },
    ];
  }
  const body =
    <Input>(schema: z.ZodType<Input>) =>
    (request: Request) =>
      parse(schema, parseJson(request.body));

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

async function respond(response: Response, { behaviour, delay_ms }: Behaviour, body: object): Promise<void> {
  // Never responds: the caller's timeout ends the connection.
  if (behaviour === "timeout") return;
  if (behaviour === "slow") await sleep(delay_ms);
  if (behaviour === "nonsense") response.type("html").send("<html><body>Service temporarily {unavail");
  else response.json(body);
}
