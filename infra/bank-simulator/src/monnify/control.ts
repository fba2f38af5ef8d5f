import { randomUUID } from "node:crypto";
import { parseFields } from "@collect/contracts";
import { readBody } from "@collect/http";
import { parseNaira } from "@collect/money";
import { Router } from "express";
import { z } from "zod";
import { behaviourSetting } from "../behaviour.ts";
import { arrange, Order } from "../orders.ts";
import { NairaAmount } from "../parse.ts";
import type { Statements } from "../statements.ts";
import { DisbursementChange, DisbursementSetting } from "./disbursements.ts";
import { renderRefusal } from "./envelope.ts";
import { EventForm, paymentEvent, refundEvent, settlementEvent } from "./events.ts";
import { type Notifier, Sending, type Sent } from "./notifier.ts";
import { PaymentOrder, SettlementOrder } from "./payments.ts";
import { type Monnify, OPERATIONS } from "./routes.ts";

const BODY_BYTES_MAX = 1_048_576;

const TransferOrder = PaymentOrder.extend({ ...EventForm.shape, ...Sending.shape });
const TransferOrders = z.object({ transfers: z.array(TransferOrder).min(1).max(1_000), order: Order });
const Refund = Sending.extend({
  transaction_reference: z.string(),
  amount: NairaAmount,
  /** Set one to report the same refund again later. */
  refund_reference: z.string().optional(),
  reason: z.string().default("Customer request"),
});
const Settling = SettlementOrder.extend(Sending.shape);
/** Anything else that Monnify could report, or a known event with other content. */
const AnyEvent = Sending.extend({ eventType: z.string(), eventData: z.record(z.string(), z.unknown()) });
const TokenSetting = z.object({ end_after: z.int().min(0).max(1_000_000).optional() });
const BehaviourSetting = behaviourSetting(OPERATIONS);

type Control = Monnify & { notifier: Notifier; statements: Statements };

/** The control API for people, demos and tests. It is unsigned and listens on the simulator's address, loopback by default. */
export function controlRoutes({ payments, disbursements, behaviours, tokens, notifier, statements }: Control): Router {
  return Router()
    .use(readBody({ maxBytes: BODY_BYTES_MAX }))
    .post("/transfers", async ({ body }, response) => {
      const orders = parseFields(TransferOrders, "transfers" in body ? body : { transfers: [body] });
      // Paid in the given order, regardless of the order of the reports.
      const paid = orders.transfers.map((order) => ({ order, payment: payments.pay(order) }));
      const transfers: Sent[] = [];
      for (const { order, payment } of arrange(paid, orders.order))
        transfers.push(await notifier.send(paymentEvent(payment, order), order));
      response.json({ transfers });
    })
    .post("/refunds", async ({ body }, response) => {
      const refund = { refund_reference: randomUUID(), ...parseFields(Refund, body) };
      payments.get(refund.transaction_reference);
      statements.book({
        key: `refund:${refund.refund_reference}`,
        amount: -Number(parseNaira(refund.amount)),
        ...{ reference: refund.refund_reference, sessionId: null, at: new Date() },
        narration: `REFUND OF ${refund.transaction_reference}`,
      });
      response.json(await notifier.send(refundEvent(refund, new Date()), refund));
    })
    .post("/settlements", async ({ body }, response) => {
      const order = parseFields(Settling, body);
      response.json(await notifier.send(settlementEvent(payments.settle(order)), order));
    })
    .post("/events", async ({ body }, response) => {
      const { eventType, eventData, ...sending } = parseFields(AnyEvent, body);
      response.json(await notifier.send({ eventType, eventData }, sending));
    })
    .get("/disbursements", (_request, response) => void response.json({ disbursements: disbursements.sent() }))
    .post("/disbursements", ({ body }, response) => {
      const setting = parseFields(DisbursementSetting, body);
      disbursements.set(setting);
      response.json(setting);
    })
    .post("/disbursements/:reference", ({ params, body }, response) => {
      response.json(disbursements.change(params.reference, parseFields(DisbursementChange, body)));
    })
    .post("/tokens", ({ body }, response) => {
      const { end_after } = parseFields(TokenSetting, body);
      if (end_after !== undefined) tokens.endAfter(end_after);
      response.json({ logins: tokens.logins() });
    })
    .post("/behaviour", ({ body }, response) => {
      const setting = parseFields(BehaviourSetting, body);
      behaviours.set(setting);
      response.json(setting);
    })
    .use(renderRefusal);
}
