import { randomInt, randomUUID } from "node:crypto";
import { nuban } from "@collect/bank";
import { AccountNumber, Instant, instantOf, parseFields } from "@collect/contracts";
import { readBody } from "@collect/http";
import { Router } from "express";
import { z } from "zod";
import { serialFrom } from "./accounts.ts";
import { BehaviourSetting, type Behaviours } from "./behaviour.ts";
import { NairaAmount } from "./parse.ts";
import { PayoutChange, PayoutSetting, type Payouts } from "./payouts.ts";
import type { Sender, SentTransfer, Transfer } from "./sender.ts";

const BODY_BYTES_MAX = 1_048_576;

const TransferOrder = z.object({
  account_number: AccountNumber,
  amount: NairaAmount,
  currency: z.string().default("NGN"),
  payer_name: z.string().default("Ngozi Eze"),
  narration: z.string().optional(),
  /** The bank's id of the transfer; set it to send the transfer again later, or with other content. */
  id: z.string().optional(),
  paid_at: Instant.optional(),
  /** `reversal`: the bank recalls a credit, under its id or a new one. A credit has no type. */
  type: z.string().optional(),
  /** The id of the credit that a reversal takes back. */
  reverses: z.string().optional(),
  /** What the bank keeps of the amount, and gives back of that with a reversal, in naira. */
  bank_fee: z.number().optional(),
  bank_vat: z.number().optional(),
  session_id: z.string().optional(),
  settlement_id: z.string().optional(),
  /** Sends the same bytes this many times concurrently. */
  times: z.int().min(1).max(100).default(1),
  /** Delays the report, but not the time of payment. */
  delay_ms: z.int().min(0).max(60_000).default(0),
  /** Retries in the background until the bank door answers with 200. */
  retry: z.boolean().default(false),
});
type TransferOrder = z.output<typeof TransferOrder>;

/** Sent one after the other, each after the previous response. */
const TransferOrders = z.object({
  transfers: z.array(TransferOrder).min(1).max(1_000),
  /** `late`: the first is sent last. */
  order: z.enum(["given", "late", "shuffled"]).default("given"),
});
type TransferOrders = z.output<typeof TransferOrders>;

type Control = { bank: { code: string; name: string }; behaviours: Behaviours; payouts: Payouts; sender: Sender };

/**
 * The control API for people, demos and tests. It is unsigned and listens on the bank's address, loopback by default.
 */
export function controlRoutes({ bank, behaviours, payouts, sender }: Control): Router {
  return Router()
    .use(readBody({ maxBytes: BODY_BYTES_MAX }))
    .post("/transfers", async (request, response) => {
      const several = "transfers" in request.body;
      const orders = parseFields(TransferOrders, several ? request.body : { transfers: [request.body] });
      // Paid in the given order, regardless of the order of the reports.
      const paid = orders.transfers.map((order) => ({ order, transfer: transferOf(order, bank) }));
      const sent: SentTransfer[] = [];
      for (const { order, transfer } of arrange(paid, orders.order)) {
        sent.push(await sender.send({ transfer, times: order.times, delayMs: order.delay_ms, retry: order.retry }));
      }
      response.json({ transfers: sent });
    })
    .get("/transfers", (_request, response) => void response.json({ transfers: sender.sent() }))
    .get("/payouts", (_request, response) => void response.json({ payouts: payouts.sent() }))
    .post("/payouts", (request, response) => {
      const setting = parseFields(PayoutSetting, request.body);
      payouts.set(setting);
      response.json(setting);
    })
    .post("/payouts/:id", (request, response) => {
      response.json(payouts.change(request.params.id, parseFields(PayoutChange, request.body)));
    })
    .post("/behaviour", (request, response) => {
      const setting = parseFields(BehaviourSetting, request.body);
      behaviours.set(setting);
      response.json(setting);
    });
}

function transferOf(order: TransferOrder, bank: { code: string; name: string }): Transfer {
  return {
    id: order.id ?? `sim_${randomUUID()}`,
    account_number: order.account_number,
    amount: order.amount,
    currency: order.currency,
    payer: {
      name: order.payer_name,
      account_number: nuban({ bankCode: bank.code, serial: serialFrom(order.payer_name) }),
      bank_name: bank.name,
    },
    narration: order.narration ?? null,
    paid_at: order.paid_at ?? instantOf(new Date()),
    ...{ type: order.type, reverses: order.reverses, bank_fee: order.bank_fee, bank_vat: order.bank_vat },
    ...{ session_id: order.session_id, settlement_id: order.settlement_id },
  };
}

function arrange<Item>(items: Item[], order: TransferOrders["order"]): Item[] {
  if (order === "late") return [...items.slice(1), ...items.slice(0, 1)];
  if (order === "shuffled") return shuffled(items);
  return items;
}

/** Inserts each item at a random position among the previous ones, so all orders are equally likely. */
function shuffled<Item>(items: Item[]): Item[] {
  const result: Item[] = [];
  for (const item of items) {
    const position = randomInt(result.length + 1);
    result.splice(position, 0, item);
  }
  return result;
}
