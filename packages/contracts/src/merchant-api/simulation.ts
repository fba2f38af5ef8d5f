import { z } from "zod";
import { AccountNumber, Mode, Naira, Name, PositiveNaira } from "../fields.ts";
import { ACCOUNT, SESSION } from "./story.ts";

export const OUTCOMES = ["paid", "underpaid", "overpaid", "expired"] as const;
export const Outcome = z.enum(OUTCOMES);
export type Outcome = z.infer<typeof Outcome>;

/** Test money into a customer's account. `amount` is the amount owed: by default the newest open session's remaining amount. */
export const SimulatePayment = z
  .object({
    outcome: Outcome,
    amount: PositiveNaira.optional().meta({
      description:
        "The amount owed, of which the outcome decides what is sent. By default what the newest open session lacks.",
    }),
    payer_name: Name.optional(),
  })
  .meta({ examples: [{ outcome: "paid" }] });

/** Test money into a collection account: for a session by its reference, or for the newest open one of exactly this amount. */
export const SandboxPay = z
  .object({
    outcome: Outcome,
    amount: PositiveNaira.optional().meta({
      description:
        "The exact amount of the newest open session to pay. Either this or `payment_reference` is required.",
    }),
    payment_reference: z
      .string()
      .max(100)
      .regex(/^[^\p{Cc}\p{Cs}]*$/u, "must not contain control characters")
      .optional()
      .meta({ description: "The session to pay, `pay_…`. Either this or `amount` is required." }),
    amount_sent: PositiveNaira.optional(),
    payer_name: Name.optional(),
  })
  .meta({ examples: [{ outcome: "paid", payment_reference: SESSION.reference }] });

export const SimulationResult = z
  .object({
    outcome: Outcome,
    credited: z.boolean(),
    reference: z.string(),
    amount: Naira,
    account_number: AccountNumber,
    message: z.string(),
    mode: Mode,
  })
  .meta({
    id: "SimulationResult",
    examples: [
      {
        outcome: "paid",
        credited: true,
        reference: SESSION.reference,
        amount: SESSION.amount,
        account_number: ACCOUNT.account_number,
        message: "₦2,500.73 was credited. A collection.success webhook was queued.",
        mode: "test",
      },
    ],
  });
export type SimulationResult = z.output<typeof SimulationResult>;
