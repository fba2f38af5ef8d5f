import { type Mode, Problem } from "@collect/contracts";
import { isTransient } from "@collect/database";
import type { Logger } from "@collect/runtime";

/** The response to the bank. In every case the report is committed. */
export type IntakeResult = { intakeId: string; status: "accepted" | "duplicate" | "quarantined" | "unallocated" };

/** Quarantined test money concerns no operator: merchants cause it on purpose. */
export function logQuarantined(
  log: Logger,
  report: { intake_id: string; mode: Mode; type: string; reason: string },
): void {
  if (report.mode === "live") log.error({ ...report, alarm: "quarantined" }, "transfer quarantined");
  else log.info(report, "test money quarantined");
}

/** A repeat with other charges is a duplicate: the books have those that were reported first. */
export const logRecharged = (log: Logger, report: { intake_id: string; mode: Mode }): void =>
  log.warn(report, "the bank reports other charges than before: the books have the first ones");

/** Credited to nobody: a person finds out whose account it is. */
export const logReservation = (log: Logger, report: { intake_id: string }): void =>
  log.error(
    { ...report, alarm: "reservation_differs" },
    "the bank reports another reservation than that of the account with this number: the money is in suspense",
  );

/** What it decides, the receipt decides. */
export const logWrongTime = (log: Logger, report: { intake_id: string }): void =>
  log.warn(report, "the bank reports a time of payment that cannot be: the time of its receipt counts");

export const unavailable = (cause?: unknown) =>
  new Problem("service_unavailable", "The transfer was not accepted. Send it again.", { cause });

export function rethrow(error: unknown): never {
  throw isTransient(error) ? unavailable(error) : error;
}
