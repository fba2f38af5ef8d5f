import { parseFields } from "@collect/contracts";
import express, { type Request, type RequestHandler, Router } from "express";
import type { z } from "zod";
import { type Behaviours, execute } from "../behaviour.ts";
import { parseJson } from "../parse.ts";
import { BANKS } from "./banks.ts";
import { DisbursementOrder, type Disbursements, type NameOf, orderResponse, summaryResponse } from "./disbursements.ts";
import { Refusal, renderRefusal, requireToken, success } from "./envelope.ts";
import { paymentResponse } from "./events.ts";
import type { Payments } from "./payments.ts";
import { type Reservations, Reserve } from "./reservations.ts";
import type { Tokens } from "./tokens.ts";

const BODY_BYTES_MAX = 16_384;

export const OPERATIONS = [
  "login",
  "reserve",
  "reservation",
  "transaction",
  "name-enquiry",
  "disburse",
  "summary",
] as const;
export type Operation = (typeof OPERATIONS)[number];

export type Monnify = {
  tokens: Tokens;
  reservations: Reservations;
  payments: Payments;
  disbursements: Disbursements;
  nameOf: NameOf;
  behaviours: Behaviours<Operation>;
};

/** Monnify's API for merchants: a login, and everything else under the token that it gives. */
export function merchantRoutes({ tokens, reservations, payments, disbursements, nameOf, behaviours }: Monnify): Router {
  const operation =
    (name: Operation, work: (request: Request) => unknown): RequestHandler =>
    (request, response) => {
      const fail = () => void response.status(503).type("html").send("<html><body>Service Unavailable</body></html>");
      return execute(response, behaviours.next(name), { work: () => success(work(request)), fail });
    };
  const reserved = "/api/v2/bank-transfer/reserved-accounts";
  const single = "/api/v2/disbursements/single";

  return Router()
    .use(express.raw({ type: () => true, limit: BODY_BYTES_MAX, inflate: false }))
    .post(
      "/api/v1/auth/login",
      operation("login", (request) => tokens.logIn(request.get("authorization"))),
    )
    .use("/api", requireToken(tokens.isValid))
    .post(
      reserved,
      operation("reserve", (request) => reservations.reserve(body(Reserve, request))),
    )
    .get(
      `${reserved}/:reference`,
      operation("reservation", ({ params }) => reservations.get(String(params.reference))),
    )
    .get(
      "/api/v2/transactions/:reference",
      operation("transaction", ({ params }) => paymentResponse(payments.get(String(params.reference)))),
    )
    .get(
      "/api/v1/disbursements/account/validate",
      operation("name-enquiry", (request) => holder(nameOf, request)),
    )
    .post(
      single,
      operation("disburse", (request) => orderResponse(disbursements.send(body(DisbursementOrder, request)))),
    )
    .get(
      `${single}/summary`,
      operation("summary", ({ query }) => summaryResponse(disbursements.get(String(query.reference)))),
    )
    .get("/api/v2/disbursements/wallet-balance", (request, response) => {
      response.json(success(disbursements.balance(String(request.query.accountNumber))));
    })
    .get("/api/v1/banks", (_request, response) => void response.json(success(BANKS)))
    .use(renderRefusal);
}

function body<Output>(schema: z.ZodType<Output>, request: Request): Output {
  try {
    return parseFields(schema, parseJson(request.body));
  } catch (cause) {
    throw new Refusal(
      400,
      cause instanceof Error ? cause.message : "The request could not be completed due to malformed syntax.",
    );
  }
}

function holder(nameOf: NameOf, { query }: Request) {
  const { accountNumber, bankCode } = { accountNumber: String(query.accountNumber), bankCode: String(query.bankCode) };
  const accountName = nameOf({ bankCode, accountNumber });
  if (accountName === undefined) throw new Refusal(400, "Invalid account details supplied");
  return { accountNumber, accountName, bankCode };
}
