import type { BankPartner, BankReport, NotificationOutcome } from "@collect/bank";
import { PROBLEMS, Problem } from "@collect/contracts";
import { isTransient } from "@collect/database";
import type { HttpApp } from "@collect/http";
import { createLimiter, type Logger } from "@collect/runtime";
import { bankReports } from "@collect/telemetry";
import express, { type Response } from "express";
import { contradictedFields, transferOf } from "../domain/reports.ts";
import type { Intake } from "../use-cases/intake.ts";

const BODY_MAX_BYTES = 32 * 1024;
/** Confirmations in progress. A partner has half of them at most, so that one that hangs delays no other. */
const CONFIRMING = { concurrency: 64, queueMax: 1_024, waitMaxMs: 5_000 };

type Deps = { intake: Intake; log: Logger };
type Doors = Deps & { partners: readonly BankPartner[] };

/**
 * The bank doors, one for each partner: authenticate, parse, confirm, commit, answer. A partner gets its answer once the report is
 * committed. A body is not parsed unless it is authentic. A signature is over the bytes as they came, so a compressed body is
 * refused: nothing is decompressed for a caller who has proved nothing. The reports are live mode.
 */
export function bankDoors({ partners, ...deps }: Doors) {
  const confirming = createLimiter({ ...CONFIRMING, refuse: notConfirmed });
  const rawBody = express.raw({ type: () => true, limit: BODY_MAX_BYTES, inflate: false });
  return (app: HttpApp): void => {
    for (const partner of partners) {
      const receive = createReceive(deps, partner, () => confirming.acquire(partner.id));
      app.post(partner.notifications.path, rawBody, async ({ headers, body: sent }, response) => {
        const body = Buffer.isBuffer(sent) ? sent : Buffer.alloc(0);
        const received: Received = {};
        try {
          if (!partner.notifications.authenticate({ headers, body }))
            throw new Problem("invalid_signature", "The partner bank's signature is missing or does not match.");
          response.locals.mode = "live";
          const outcome = await receive(body, received);
          bankReports.inc({ partner: partner.id, outcome });
          reply(response, partner.notifications.answer(outcome, received.report));
        } catch (error) {
          refuse(deps, response, { partner, report: received.report, error });
        }
      });
    }
  };
}

/** What is known about a request by then: the answer to a failure names it too. */
type Received = { report?: BankReport | undefined };

function createReceive({ intake, log }: Deps, { id, notifications }: BankPartner, slot: () => Promise<() => void>) {
  async function confirm(report: BankReport): Promise<BankReport> {
    if (!notifications.confirm) return report;
    const release = await slot();
    const confirmed = await notifications.confirm(report).finally(release);
    if (confirmed?.id !== report.id) throw notConfirmed();
    const fields = contradictedFields(report, confirmed);
    if (fields.length > 0)
      log.error({ alarm: "report_differs", partner: id, fields }, "the bank confirms other values, which are credited");
    return confirmed;
  }

  return async (body: Buffer, received: Received): Promise<NotificationOutcome> => {
    received.report = notifications.parse(body);
    if (!received.report) return "accepted";
    const { status } = await intake.accept(transferOf(id, await confirm(received.report)));
    return status;
  };
}

/** The bank does not know the transfer, yet or at all: it is not credited, and the partner repeats the report. */
const notConfirmed = () =>
  new Problem("service_unavailable", "The bank has not confirmed the transfer. Send the report again.");

type Answer = { status: number; body: object };

/** A report of no money of ours has nothing to answer with in our own protocol. */
function reply(response: Response, answer: Answer = { status: 200, body: {} }): void {
  response.status(answer.status).json(answer.body);
}

/** In the partner's words, where it does not read our problem documents. */
function refuse(
  { log }: Deps,
  response: Response,
  { partner, report, error }: { partner: BankPartner; report: BankReport | undefined; error: unknown },
): void {
  const outcome = isRejection(error) ? "rejected" : "failed";
  bankReports.inc({ partner: partner.id, outcome });
  const answer = partner.notifications.answer(outcome, report);
  if (!answer) throw error;
  const level = error instanceof Problem || isTransient(error) ? "warn" : "error";
  log[level]({ partner: partner.id, outcome, err: error }, "a report was not taken");
  reply(response, answer);
}

/** The report itself is at fault, and would be at every repeat. */
const isRejection = (error: unknown): boolean => error instanceof Problem && PROBLEMS[error.code].status < 500;
