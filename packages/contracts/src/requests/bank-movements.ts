import { z } from "zod";
import { Id, Instant, Kobo, Mode } from "../fields.ts";
import { request } from "../message.ts";

/** What statements asks of the services that move money. */

export const BANK_MOVEMENTS_PAGE = 2_000;

export const listBankMovements = request({
  subject: "accounts.bank_movements.list",
  callers: ["statements"],
  meaning: "The transfers that partner banks reported, by the time of receipt, whoever they are for.",
  deadlineMs: 15_000,
  input: z.object({ mode: Mode, after: z.object({ at: Instant, key: z.string() }) }),
  output: z.object({
    rows: z.array(
      z.object({
        intake_id: Id,
        bank: z.string(),
        bank_transfer_id: z.string(),
        /** What the payer sent; negative for what the bank took back of it. */
        amount: Kobo,
        /** What the bank kept of it, with the sign of the amount. Absent where the bank does not say. */
        bank_fee: Kobo.optional(),
        bank_vat: Kobo.optional(),
        session_id: z.string().optional(),
        settlement_id: z.string().optional(),
        paid_at: Instant,
        received_at: Instant,
      }),
    ),
  }),
});

export const getBankBalances = request({
  subject: "ledger.bank_balances.get",
  callers: ["statements"],
  meaning: "What the ledger had on the bank, in all its shards, just before these instants.",
  deadlineMs: 15_000,
  input: z.object({ mode: Mode, before: z.array(Instant).min(1).max(10) }),
  output: z.object({ balances: z.array(Kobo) }),
});
