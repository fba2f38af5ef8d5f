import { readBody } from "@collect/http";
import { type RequestHandler, Router } from "express";
import { z } from "zod";
import { type Behaviours, execute } from "../behaviour.ts";
import { stackTrace } from "./answers.ts";
import type { Books } from "./books.ts";
import { holderAtNip, holderAtProvidus, nipBanks } from "./directory.ts";
import { resultOf } from "./payout-codes.ts";
import type { PayoutStatuses } from "./payout-statuses.ts";
import type { Payouts } from "./payouts.ts";
import { NipAccount, NipOrder, OwnAccount, OwnOrder, Status } from "./transfer-calls.ts";

export const TRANSFER_OPERATIONS = ["name-enquiry", "payout", "payout-status", "banks"] as const;
type Operation = (typeof TRANSFER_OPERATIONS)[number];

export type Transfers = {
  access: { userName: string; password: string; sourceAccount: string };
  books: Books;
  payouts: Payouts;
  statuses: PayoutStatuses;
  behaviours: Behaviours<Operation>;
};

const BODY_BYTES_MAX = 16_384;

/** The transfer service: payouts over NIP and within the bank. Its program fails on what it cannot read. */
export function transferRoutes({ access, books, payouts, statuses, behaviours }: Transfers): Router {
  const operation =
    <Input>(name: Operation, schema: z.ZodType<Input>, work: (input: Input) => object): RequestHandler =>
    (request, response) => {
      const input = schema.safeParse(request.body);
      const fail = () => stackTrace(response);
      if (!input.success) return fail();
      return execute(response, behaviours.next(name), { work: () => work(input.data), fail });
    };
  const holder = ({ accountNumber }: OwnAccount) => holderAtProvidus(books, access.sourceAccount, accountNumber);
  return Router()
    .use(readBody({ maxBytes: BODY_BYTES_MAX }))
    .get("/GetNIPBanks", operation("banks", z.unknown(), nipBanks))
    .use(authenticated(access))
    .post("/GetNIPAccount", operation("name-enquiry", NipAccount, holderAtNip))
    .post("/GetProvidusAccount", operation("name-enquiry", OwnAccount, holder))
    .post("/NIPFundTransfer", operation("payout", NipOrder, payouts.payOverNip))
    .post("/ProvidusFundTransfer", operation("payout", OwnOrder, payouts.payWithin))
    .post("/GetNIPTransactionStatus", operation("payout-status", Status, statuses.overNip))
    .post("/GetProvidusTransactionStatus", operation("payout-status", Status, statuses.within));
}

function authenticated({ userName, password }: Transfers["access"]): RequestHandler {
  return (request, response, next) => {
    if (request.body.userName === userName && request.body.password === password) return next();
    response.json(resultOf("8004"));
  };
}
