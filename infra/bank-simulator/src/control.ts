import { randomInt, randomUUID } from "node:crypto";
import { nuban } from "@collect/bank";
import { AccountNumber, Instant, instantOf } from "@collect/contracts";
import { readBody } from "@collect/http";
import { Router } from "express";
import { z } from "zod";
import { serialFrom } from "./accounts.ts";
import { BehaviourSetting, type Behaviours } from "./behaviour.ts";
import { NairaAmount, parse } from "./parse.ts";
import { PayoutChange, PayoutSetting, type Payouts } from "./payouts.ts";
import type { Sender, SentTransfer, Transfer } from "./sender.ts";

const BODY_BYTES_MAX = 1_048_576;

const TransferOrder = z.object({
  account_number: AccountNumber,
  amount: NairaAmount,
  currency: z.string().default("NGN"),
  payer_name: z.string().default("Ngozi Eze"),
  narration: z.string().optional(),
  /** The bank's id of the transfer; give one to send it again later, or with other content. */
  id: z.string().optional(),
  paid_at: Instant.optional(),
  /** `reversal`: the bank asks for a credit back, under its id or a new one. A credit says nothing of its type. */
  type: z.string().optional(),
  /** The same bytes this many times, all at once. */
  times: z.int().min(1).max(100).default(1),
  /** How long the report waits; the time of payment does not. */
  delay_ms: z.int().min(0).max(60_000).default(0),
  /** Keep trying in the background until the bank door answers 200. */
  retry: z.boolean().default(false),
});
type TransferOrder = z.output<typeof TransferOrder>;

/** Each is sent after the one before was answered. */
const TransferOrders = z.object({
  transfers: z.array(TransferOrder).min(1).max(1_000),
  /** `late`: the first is sent last. */
  order: z.enum(["given", "late", "shuffled"]).default("given"),
});
type TransferOrders = z.output<typeof TransferOrders>;

type Control = { bank: { code: string; name: string }; behaviours: Behaviours; payouts: Payouts; sender: Sender };

/** What a person, a demo or a test tells the bank to do. Unsigned: it listens where the bank does, which is loopback by default. */
export function controlRoutes({ bank, behaviours, payouts, sender }: Control): Router {
  return Router()
    .use(readBody({ maxBytes: BODY_BYTES_MAX }))
    .post("/transfers", async (request, response) => {
      const several = "transfers" in request.body;
      const orders = parse(TransferOrders, several ? request.body : { transfers: [request.body] });
      // Paid in the order given, whatever the order they are reported in.
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
      const setting = parse(PayoutSetting, request.body);
      payouts.set(setting);
      response.json(setting);
    })
    .post("/payouts/:id", (request, response) => {
      response.json(payouts.change(request.params.id, parse(PayoutChange, request.body)));
    })
    .post("/behaviour", (request, response) => {
      const setting = parse(BehaviourSetting, request.body);
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
    ...(order.type === undefined ? {} : { type: order.type }),
  };
}

function arrange<Item>(items: Item[], order: TransferOrders["order"]): Item[] {
  if (order === "late") return [...items.slice(1), ...items.slice(0, 1)];
  if (order === "shuffled") return shuffled(items);
  return items;
}

/** Each item goes to a random place among those before it: every order is as likely as any other. */
function shuffled<Item>(items: Item[]): Item[] {
  const result: Item[] = [];
  for (const item of items) {
    const place = randomInt(result.length + 1);
    result.splice(place, 0, item);
  }
  return result;
}
