import { nuban } from "@collect/bank";
import { AccountNumber, Instant, Problem, parseFields } from "@collect/contracts";
import { readBody } from "@collect/http";
import { parseNaira } from "@collect/money";
import { Router } from "express";
import { z } from "zod";
import { type Behaviours, behaviourSetting } from "../behaviour.ts";
import { arrange, Order } from "../orders.ts";
import { NairaAmount } from "../parse.ts";
import { serialFrom } from "../serials.ts";
import { type Books, type Credit, chargesOn, sessionIdAt, settlementIdAt } from "./books.ts";
import { Code, type PayoutCodes, PayoutSetting } from "./payout-codes.ts";
import type { Report, Reports } from "./reports.ts";
import { TIME_FORMS } from "./times.ts";

const BODY_BYTES_MAX = 1_048_576;

const TransferOrder = z.object({
  account_number: AccountNumber,
  amount: NairaAmount,
  currency: z.string().default("NGN"),
  payer_name: z.string().default("Ngozi Eze"),
  payer_account_number: AccountNumber.optional(),
  payer_bank_name: z.string().default("FIRST BANK OF NIGERIA"),
  narration: z.string().default(""),
  /** Of an earlier transfer, to report that one again, or of a new one. */
  settlement_id: z.string().optional(),
  paid_at: Instant.optional(),
  /** Until the transfer is settled, the bank's answers name no charges. */
  settles_late: z.boolean().default(false),
  time_form: z.enum(TIME_FORMS).optional(),
  /** Fields of the notification that are not what the bank confirms, such as `{"transactionAmount":"9999"}`. */
  claims: z.record(z.string(), z.unknown()).default({}),
  /** Sends the same bytes this many times concurrently. With 0 the bank never reports the transfer. */
  times: z.int().min(0).max(100).default(1),
  delay_ms: z.int().min(0).max(60_000).default(0),
});
type TransferOrder = z.output<typeof TransferOrder>;

const TransferOrders = z.object({ transfers: z.array(TransferOrder).min(1).max(1_000), order: Order });
const Forgery = z.record(z.string(), z.unknown());
const TakingBack = z.object({ amount: NairaAmount.optional() });
const PayoutChange = z.object({ status: Code });

type Control<Operation extends string> = {
  books: Books;
  reports: Reports;
  codes: PayoutCodes;
  operations: readonly Operation[];
  behaviours: Behaviours<Operation>;
};

/** The control API for people, demos and tests. It is unsigned and listens on the simulator's address, loopback by default. */
export function controlRoutes<Operation extends string>(control: Control<Operation>): Router {
  const { books, reports, codes, operations, behaviours } = control;
  const BehaviourSetting = behaviourSetting(operations);
  return Router()
    .use(readBody({ maxBytes: BODY_BYTES_MAX }))
    .post("/transfers", async (request, response) => {
      const several = "transfers" in request.body;
      const orders = parseFields(TransferOrders, several ? request.body : { transfers: [request.body] });
      // Paid in the given order, regardless of the order of the reports.
      const paid = orders.transfers.map((order) => ({ order, credit: creditOf(books, order) }));
      const transfers: Report[] = [];
      for (const { order, credit } of arrange(paid, orders.order)) {
        const { claims, times, delay_ms: delayMs, time_form: timeForm } = order;
        transfers.push(await reports.report(credit, { claims, times, delayMs, timeForm }));
      }
      response.json({ transfers });
    })
    .get("/transfers", (_request, response) => void response.json({ transfers: reports.newest() }))
    .post("/transfers/:settlementId/take-back", (request, response) => {
      const credit = books.credits.get(request.params.settlementId);
      if (!credit) throw new Problem("not_found", "There is no transfer with this settlement id.");
      const { amount } = parseFields(TakingBack, request.body);
      response.json(books.takeBack(credit, amount === undefined ? undefined : Number(parseNaira(amount))));
    })
    .post("/notifications", async (request, response) => {
      response.json(await reports.forge(parseFields(Forgery, request.body)));
    })
    .get("/accounts", (_request, response) => void response.json({ accounts: books.accounts.newest() }))
    .get("/books", (_request, response) => void response.json(books.balance()))
    .get("/payouts", (_request, response) => void response.json({ payouts: books.payouts.newest() }))
    .post("/payouts", (request, response) => {
      const setting = parseFields(PayoutSetting, request.body);
      codes.set(setting);
      response.json(setting);
    })
    .post("/payouts/:reference", (request, response) => {
      const payout = books.payouts.get(request.params.reference);
      if (!payout) throw new Problem("not_found", "There is no payout with this reference.");
      response.json(books.payouts.put({ ...payout, code: parseFields(PayoutChange, request.body).status }));
    })
    .post("/behaviour", (request, response) => {
      const setting = parseFields(BehaviourSetting, request.body);
      behaviours.set(setting);
      response.json(setting);
    });
}

/** The transfer with the settlement id, or a new one. */
function creditOf(books: Books, order: TransferOrder): Credit {
  const known = order.settlement_id === undefined ? undefined : books.credits.get(order.settlement_id);
  if (known) return known;
  const now = wholeSecond(new Date(order.paid_at ?? Date.now()));
  const amount = Number(parseNaira(order.amount));
  return books.credits.put({
    settlementId: order.settlement_id ?? settlementIdAt(now),
    sessionId: sessionIdAt(now, "000016"),
    accountNumber: order.account_number,
    amount,
    ...chargesOn(amount),
    currency: order.currency,
    payer: {
      name: order.payer_name,
      accountNumber: order.payer_account_number ?? nuban({ bankCode: "011", serial: serialFrom(order.payer_name) }),
      bankName: order.payer_bank_name,
    },
    narration: order.narration,
    paidAt: now.toISOString(),
    state: "pending",
    settlesLate: order.settles_late,
    takenBack: 0,
  });
}

/** The bank keeps no fractions of a second. */
const wholeSecond = (instant: Date) => new Date(Math.floor(instant.getTime() / 1_000) * 1_000);
