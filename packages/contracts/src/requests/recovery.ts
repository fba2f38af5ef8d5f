import { z } from "zod";
import { Instant } from "../fields.ts";
import { request } from "../message.ts";

/**
 * Requests between the services with money or numbers, by which they detect a database that was restored to an earlier time.
 * The requests for catching up are in recovery-lists.ts.
 */

export const MONEY_SERVICES = ["accounts", "ledger", "payments", "webhooks"] as const;
export type MoneyService = (typeof MONEY_SERVICES)[number];

/** The same contract for each service, by name. */
const ofEach = <Contract>(contractOf: (service: MoneyService) => Contract): Record<MoneyService, Contract> => ({
  accounts: contractOf("accounts"),
  ledger: contractOf("ledger"),
  payments: contractOf("payments"),
  webhooks: contractOf("webhooks"),
});

/** A counter in a service's database. A peer that has stored a higher one proves that the database was restored. */
export const confirmEpoch = ofEach((service) =>
  request({
    subject: `${service}.epoch.confirm`,
    callers: MONEY_SERVICES.filter((caller) => caller !== service),
    meaning: "Store the epoch of another service, and return the highest that was stored before.",
    deadlineMs: 2_000,
    input: z.object({ service: z.enum(MONEY_SERVICES), epoch: z.int().positive() }),
    output: z.object({ held: z.int() }),
  }),
);

const Recovery = z.object({
  /** Everything committed before this time is present; anything later may be lost. */
  restored_to: Instant,
  noticed_at: Instant,
  /** What it is doing or waiting for. */
  step: z.string(),
  finished_at: Instant.nullable(),
});

export const getRecovery = ofEach((service) =>
  request({
    subject: `${service}.recovery.get`,
    callers: ["operator"],
    operator: "read",
    meaning: "Whether this replica sends money and assigns numbers, and the last recovery of its database.",
    input: z.object({}),
    output: z.object({ is_current: z.boolean(), recovery: Recovery.nullable() }),
  }),
);

export const startRecovery = ofEach((service) =>
  request({
    subject: `${service}.recovery.start`,
    callers: ["operator"],
    operator: { action: "recovery.started", detail: ["restored_to"] },
    meaning: "Recover as if the database had been restored to this time. Safe to repeat.",
    input: z.object({ restored_to: Instant }),
    output: z.object({ recovery: Recovery }),
  }),
);

export const endRecovery = ofEach((service) =>
  request({
    subject: `${service}.recovery.end`,
    callers: ["operator"],
    operator: { action: "recovery.ended" },
    meaning: "End the running recovery: the operator declares this database correct, and its peers catch up from it.",
    input: z.object({}),
    output: z.object({ recovery: Recovery }),
  }),
);
