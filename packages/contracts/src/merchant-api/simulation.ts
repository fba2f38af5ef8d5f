import { z } from "zod";
import { AccountNumber, Mode, Naira, Name, PositiveNaira } from "../fields.ts";
import { ACCOUNT, SESSION } from "./story.ts";

export const OUTCOMES = ["paid", "underpaid", "overpaid", "expired"] as const;
export const Outcome = z.enum(OUTCOMES).meta({
  description:
    "What the simulated payer does. `paid` sends what is owed, `underpaid` 90 % and `overpaid` 110 % of it: each is credited and sends `collection.success`. `expired` sends nothing and ends the session, without an event.",
});
export type Outcome = z.infer<typeof Outcome>;

/** Test money into a customer's account. `amount` is the amount owed: by default the newest open session's remaining amount. */
export const SimulatePayment = z
  .object({
    outcome: Outcome,
    amount: PositiveNaira.optional().meta({
      description:
        "The amount owed, of which the outcome decides what is sent. By default what the newest open session lacks.",
    }),
    payer_name: Name.optional().meta({ description: "The sender; the customer's name by default." }),
  })
  .meta({ description: "A transfer into a customer's account.", examples: [{ outcome: "paid" }] });

/** Test money into a collection account: for a session by its reference, or for the newest open one of exactly this amount. */
export const SandboxPay = z
  .object({
    outcome: Outcome,
    amount: PositiveNaira.optional().meta({
      description:
        "The exact amount, kobo included, of the newest open session to pay. Without one, the money is credited to your first collection account and pays no session. Either this or `payment_reference` is required.",
    }),
    payment_reference: z
      .string()
      .max(100)
      .regex(/^[^\p{Cc}\p{Cs}]*$/u, "must not contain control characters")
      .optional()
      .meta({ description: "The session to pay, `pay_…`. Either this or `amount` is required." }),
    amount_sent: PositiveNaira.optional().meta({
      description: "What is really sent, in naira, instead of what follows from the outcome.",
    }),
    payer_name: Name.optional().meta({ description: "The sender; `Test Payer` by default." }),
  })
  .meta({
    description: "A transfer into a collection account.",
    examples: [{ outcome: "paid", payment_reference: SESSION.reference }],
  });

export const SimulationResult = z
  .object({
    outcome: Outcome.meta({ description: "As you sent it." }),
    credited: z.boolean().meta({ description: "Whether anything was credited: unless the outcome was `expired`." }),
    reference: z.string().meta({
      description:
        "The `data.reference` of the `collection.success`. With `expired`, the session's, or one that is never used if there was no session.",
    }),
    amount: Naira.meta({ description: "What was sent, in naira; with `expired`, what was owed." }),
    account_number: AccountNumber.meta({ description: "The account that received it, or would have." }),
    message: z.string().meta({ description: "A summary for people; says whether a webhook was queued." }),
    mode: Mode,
  })
  .meta({
    id: "SimulationResult",
    description: "What was simulated. It is in the ledger by then, and its event is recorded.",
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
