import { z } from "zod";
import { Instant } from "../fields.ts";
import { request } from "../message.ts";

/**
 * What the services that hold money or numbers ask each other so that a database restored to an earlier moment is noticed.
 * What one of them needs of the others to catch up is in recovery-lists.ts.
 */

export const MONEY_SERVICES = ["accounts", "ledger", "payments", "webhooks"] as const;
export type MoneyService = (typeof MONEY_SERVICES)[number];

/** The same contract for each of them, by service. */
const ofEach = <Contract>(contractOf: (service: MoneyService) => Contract): Record<MoneyService, Contract> => ({
  accounts: contractOf("accounts"),
  ledger: contractOf("ledger"),
  payments: contractOf("payments"),
  webhooks: contractOf("webhooks"),
});

/** An epoch counts up in a service's database. A neighbour that holds a higher one proves that the database was restored. */
export const confirmEpoch = ofEach((service) =>
  request({
    subject: `${service}.epoch.confirm`,
    callers: MONEY_SERVICES.filter((caller) => caller !== service),
    meaning: "Keep the epoch of another service, and answer with the highest that was kept before.",
    deadlineMs: 2_000,
    input: z.object({ service: z.enum(MONEY_SERVICES), epoch: z.int().positive() }),
    output: z.object({ held: z.int() }),
  }),
);

const Recovery = z.object({
  /** What was committed before this moment is there; what came after may be lost. */
  restored_to: Instant,
  noticed_at: Instant,
  /** What it is doing, or waits for. */
  step: z.string(),
  finished_at: Instant.nullable(),
});

export const getRecovery = ofEach((service) =>
  request({
    subject: `${service}.recovery.get`,
    callers: ["operator"],
    meaning: "Whether this replica lets money out and gives numbers, and the last recovery of its database.",
    input: z.object({}),
    output: z.object({ is_current: z.boolean(), recovery: Recovery.nullable() }),
  }),
);

export const startRecovery = ofEach((service) =>
  request({
    subject: `${service}.recovery.start`,
    callers: ["operator"],
    meaning: "Recover as if the database had been restored to this moment. Safe to repeat.",
    input: z.object({ restored_to: Instant }),
    output: z.object({ recovery: Recovery }),
  }),
);

export const endRecovery = ofEach((service) =>
  request({
    subject: `${service}.recovery.end`,
    callers: ["operator"],
    meaning: "An operator ends the recovery under way: this database is right as it is, and others catch up from it.",
    input: z.object({}),
    output: z.object({ recovery: Recovery }),
  }),
);
