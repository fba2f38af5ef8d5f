import { randomUUID } from "node:crypto";
import { nuban } from "@collect/bank";
import { AccountNumber, Instant, instantOf, parseFields } from "@collect/contracts";
import { readBody } from "@collect/http";
import { parseNaira } from "@collect/money";
import { Router } from "express";
import { z } from "zod";
import { type Behaviours, behaviourSetting } from "../behaviour.ts";
import { arrange, Order } from "../orders.ts";
import { NairaAmount } from "../parse.ts";
import { serialFrom } from "../serials.ts";
import type { Statements } from "../statements.ts";
import { OPERATIONS, type Operation } from "./partner.ts";
import { PayoutChange, PayoutSetting, type Payouts } from "./payouts.ts";
import { type Sender, type SentTransfer, SIGNATURES, type Transfer } from "./sender.ts";

const BODY_BYTES_MAX = 1_048_576;

const TransferOrder = z.object({
  account_number: AccountNumber,
  amount: NairaAmount,
  currency: z.string().default("NGN"),
  payer_name: z.string().default("Ngozi Eze"),
  /** An account at this bank by default. */
  payer_account_number: AccountNumber.optional(),
  payer_bank_name: z.string().optional(),
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
  /** Sends the same bytes this many times concurrently. With 0 the bank never reports the transfer. */
  times: z.int().min(0).max(100).default(1),
  /** Delays the report, but not the time of payment. */
  delay_ms: z.int().min(0).max(60_000).default(0),
  /** Retries in the background until the bank door answers with 200. */
  retry: z.boolean().default(false),
  signature: z.enum(SIGNATURES).default("right"),
});
type TransferOrder = z.output<typeof TransferOrder>;

const TransferOrders = z.object({ transfers: z.array(TransferOrder).min(1).max(1_000), order: Order });
const BehaviourSetting = behaviourSetting(OPERATIONS);

type Control = {
  bank: { code: string; name: string };
  behaviours: Behaviours<Operation>;
  payouts: Payouts;
  sender: Sender;
  statements: Statements;
};

/**
 * The control API for people, demos and tests. It is unsigned and listens on the bank's address, loopback by default.
 */
export function controlRoutes({ bank, behaviours, payouts, sender, statements }: Control): Router {
  return Router()
    .use(readBody({ maxBytes: BODY_BYTES_MAX }))
    .post("/transfers", async (request, response) => {
      const several = "transfers" in request.body;
      const orders = parseFields(TransferOrders, several ? request.body : { transfers: [request.body] });
      // Paid in the given order, regardless of the order of the reports.
      const paid = orders.transfers.map((order) => ({ order, transfer: transferOf(order, bank) }));
      for (const { order, transfer } of paid) if (order.signature === "right") bookTransfer(statements, transfer);
      const sent: SentTransfer[] = [];
      for (const { order, transfer } of arrange(paid, orders.order)) {
        const { times, delay_ms: delayMs, retry, signature } = order;
        sent.push(await sender.send({ transfer, times, delayMs, retry, signature }));
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

/** What reaches our account, or leaves it again, whatever is reported of it. The bank has one transfer of an id, and one reversal. */
function bookTransfer({ book }: Statements, transfer: Transfer): void {
  const { type, id, currency, payer, narration, session_id = null, paid_at } = transfer;
  const isReversal = type === "reversal";
  if (currency !== "NGN" || (type !== undefined && !isReversal)) return;
  const net = kobo(transfer.amount) - kobo(transfer.bank_fee) - kobo(transfer.bank_vat);
  book({
    key: `${isReversal ? "reversal" : "transfer"}:${id}`,
    amount: isReversal ? -net : net,
    ...{ reference: id, sessionId: session_id, at: new Date(paid_at) },
    narration: [isReversal && "REVERSAL", payer.name, narration].filter(Boolean).join(" "),
  });
}

const kobo = (naira = 0) => Number(parseNaira(naira));

function transferOf(order: TransferOrder, bank: { code: string; name: string }): Transfer {
  return {
    id: order.id ?? `sim_${randomUUID()}`,
    account_number: order.account_number,
    amount: order.amount,
    currency: order.currency,
    payer: {
      name: order.payer_name,
      account_number:
        order.payer_account_number ?? nuban({ bankCode: bank.code, serial: serialFrom(order.payer_name) }),
      bank_name: order.payer_bank_name ?? bank.name,
    },
    narration: order.narration ?? null,
    paid_at: order.paid_at ?? instantOf(new Date()),
    ...{ type: order.type, reverses: order.reverses, bank_fee: order.bank_fee, bank_vat: order.bank_vat },
    ...{ session_id: order.session_id, settlement_id: order.settlement_id },
  };
}
