import { z } from "zod";
import { AccountNumber, Instant, Mode, Naira, PositiveNaira } from "../fields.ts";
import { Timestamp } from "./lists.ts";
import { ACCOUNT, COLLECTION } from "./story.ts";

/** What the partner bank does with a transfer. */
export const BANK_SCENARIOS = [
  "reported_twice",
  "reported_late",
  "reported_out_of_order",
  "reported_with_another_amount",
  "reported_then_reversed",
] as const;
/** What your server does with the first attempts to deliver the event of a transfer. */
export const RECEIVER_SCENARIOS = [
  "receiver_fails",
  "receiver_times_out",
  "receiver_redirects",
  "receiver_resets_connection",
  "response_lost",
] as const;
export type ReceiverScenario = (typeof RECEIVER_SCENARIOS)[number];

const ScenarioName = z.enum([...BANK_SCENARIOS, ...RECEIVER_SCENARIOS]).meta({
  description: `What goes wrong. The bank:
- \`reported_twice\`: it reports one transfer twice. One collection.
- \`reported_late\`: it reports a transfer a day after it was paid, or as late as \`paid_at\` says.
- \`reported_out_of_order\`: three transfers, a minute apart, reported in the reverse order.
- \`reported_with_another_amount\`: it reports a transfer again, with one naira more. The second report is quarantined and never credited.
- \`reported_then_reversed\`: it reports a transfer, and then takes it back. \`collection.success\`, then \`collection.reversed\`.

Your server, in the first attempts to deliver the event of one transfer, \`times\` of them. The later attempts are real:
- \`receiver_fails\`: it answers 500.
- \`receiver_times_out\`: it does not answer in time.
- \`receiver_redirects\`: it answers 302. Redirects are never followed.
- \`receiver_resets_connection\`: it closes the connection without an answer.
- \`response_lost\`: it gets the event and acknowledges it, but the acknowledgment is lost, so it gets the event again. In the others it is not called.`,
});

const PaidAt = {
  description:
    "When the payer's bank sent it; of several, the latest. By default now, and a day ago for `reported_late`. At most 400 days ago.",
};

/** The seed and the other fields identify a run: a repeat of the call is the same run, and moves no money again. */
export const PlayScenario = z
  .object({
    name: ScenarioName,
    seed: z.int().min(0).max(2_147_483_647).meta({
      description:
        "Any whole number. The payer and, unless you send it, the amount are derived from it. A repeat with the same fields and the same seed returns the same response and credits nothing again; another seed is another run.",
    }),
    account_number: AccountNumber.meta({
      description: "The test account that receives the money: a customer's, or that of a payment session.",
    }),
    amount: PositiveNaira.optional().meta({
      description:
        "What the payer sends, in naira; in `reported_out_of_order`, each time. To pay a session, its exact `amount`.",
    }),
    paid_at: Instant.optional().meta(PaidAt),
    times: z.int().min(1).max(15).optional().meta({
      description: "How many attempts go wrong, 1 by default. Only for what your server does.",
    }),
  })
  .meta({
    description: "What goes wrong, and with which transfer.",
    examples: [{ name: "reported_twice", seed: 7, account_number: ACCOUNT.account_number, amount: COLLECTION.amount }],
  });

export const REPORT_RESULTS = ["credited", "duplicate", "quarantined", "reversed"] as const;
export type ReportResult = (typeof REPORT_RESULTS)[number];

const Report = z
  .object({
    result: z.enum(REPORT_RESULTS).meta({
      description: `What came of it.
- \`credited\`: it is in the ledger, and its event is recorded.
- \`duplicate\`: the transfer was credited already.
- \`quarantined\`: it contradicts what was credited, and was not credited.
- \`reversed\`: what was credited is undone, and the event of that is recorded.`,
    }),
    amount: Naira.meta({ description: "The amount that the bank reported, in naira." }),
    paid_at: Timestamp.meta({ description: "When the payer's bank sent the transfer." }),
    payer_name: z.string().meta({ description: "The payer." }),
    reference: z.string().nullable().meta({
      description:
        "The `data.reference` of the `collection.success` or `collection.reversed`; null if it was quarantined.",
    }),
  })
  .meta({ description: "One report of the bank." });

export const ScenarioResult = z
  .object({
    name: ScenarioName.meta({ description: "As you sent it." }),
    seed: z.int().meta({ description: "As you sent it." }),
    account_number: AccountNumber.meta({ description: "As you sent it." }),
    reports: z.array(Report).meta({ description: "What the bank reported, in the order in which it did." }),
    mode: Mode,
  })
  .meta({
    id: "ScenarioResult",
    description: "What came of a scenario, the same for every repeat of the call.",
    examples: [
      {
        name: "reported_twice",
        seed: 7,
        account_number: ACCOUNT.account_number,
        reports: (["credited", "duplicate"] as const).map((result) => ({
          result,
          amount: COLLECTION.amount,
          paid_at: COLLECTION.paid_at,
          payer_name: "Tunde Bello",
          reference: COLLECTION.reference,
        })),
        mode: "test",
      },
    ],
  });
