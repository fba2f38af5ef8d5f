import { randomUUID } from "node:crypto";
import { parseFields } from "@collect/contracts";
import { readBody } from "@collect/http";
import { Router } from "express";
import { z } from "zod";
import { NairaAmount } from "../parse.ts";
import { BehaviourSetting } from "./behaviour.ts";
import { DisbursementChange, DisbursementSetting } from "./disbursements.ts";
import { renderRefusal } from "./envelope.ts";
import { type Event, EventForm, paymentEvent, refundEvent } from "./events.ts";
import { type Notifier, Sending } from "./notifier.ts";
import { PaymentOrder } from "./payments.ts";
import type { Monnify } from "./routes.ts";

const BODY_BYTES_MAX = 65_536;
const EVENTS_KEPT = 1_000;

const Pay = PaymentOrder.extend({ form: EventForm.prefault({}), send: Sending.prefault({}) });
const Refund = z.object({
  transaction_reference: z.string(),
  amount: NairaAmount,
  refund_reference: z.string().optional(),
  reason: z.string().default("Customer request"),
  send: Sending.prefault({}),
});
/** Anything else that Monnify could report, or a known event with other content. */
const AnyEvent = z.object({
  event: z.object({ eventType: z.string(), eventData: z.record(z.string(), z.unknown()) }),
  send: Sending.prefault({}),
});
const TokenSetting = z.object({ expire: z.boolean().optional(), life_s: z.int().min(1).max(86_400).optional() });

/** The control API of Monnify's simulator, for people, demos and tests. It is unsigned and listens on loopback by default. */
export function controlRoutes({
  payments,
  disbursements,
  behaviours,
  tokens,
  notifier,
}: Monnify & { notifier: Notifier }): Router {
  const events = new Map<string, Event>();

  async function record(event: Event, sending: Sending) {
    const id = randomUUID();
    events.set(id, event);
    for (const oldest of [...events.keys()].slice(0, -EVENTS_KEPT)) events.delete(oldest);
    return { id, ...(await notifier.send(event, sending)) };
  }

  return Router()
    .use(readBody({ maxBytes: BODY_BYTES_MAX }))
    .post("/payments", async ({ body }, response) => {
      const { form, send, ...order } = parseFields(Pay, body);
      response.json(await record(paymentEvent(payments.pay(order), form), send));
    })
    .post("/refunds", async ({ body }, response) => {
      const { send, ...order } = parseFields(Refund, body);
      payments.get(order.transaction_reference);
      response.json(await record(refundEvent({ refund_reference: randomUUID(), ...order }, new Date()), send));
    })
    .post("/events", async ({ body }, response) => {
      const { event, send } = parseFields(AnyEvent, body);
      response.json(await record(event, send));
    })
    .post("/events/:id", async ({ params, body }, response) => {
      const event = events.get(params.id);
      if (!event) return void response.status(404).json({ code: "not_found" });
      response.json({ id: params.id, ...(await notifier.send(event, parseFields(Sending, body))) });
    })
    .get("/disbursements", (_request, response) => void response.json({ disbursements: disbursements.sent() }))
    .post("/disbursements", ({ body }, response) => {
      disbursements.set(parseFields(DisbursementSetting, body));
      response.json({});
    })
    .post("/disbursements/:reference", ({ params, body }, response) => {
      response.json(disbursements.change(params.reference, parseFields(DisbursementChange, body)));
    })
    .post("/tokens", ({ body }, response) => {
      tokens.set(parseFields(TokenSetting, body));
      response.json({ logins: tokens.logins() });
    })
    .post("/behaviour", ({ body }, response) => {
      behaviours.set(parseFields(BehaviourSetting, body));
      response.json({});
    })
    .use(renderRefusal);
}
