import type { BankPartner, BankReport, NotificationOutcome } from "@collect/bank";
import type { Bus } from "@collect/bus";
import { PROBLEMS, Problem, reviewPayout } from "@collect/contracts";
import { isTransient } from "@collect/database";
import { contextOf, type HttpApp } from "@collect/http";
import { createLimiter, type Logger } from "@collect/runtime";
import { bankReports } from "@collect/telemetry";
import express, { type Request, type Response } from "express";
import { contradictedFields, transferOf } from "../domain/reports.ts";
import type { Intake } from "../use-cases/intake.ts";
import type { TakeSettlement } from "../use-cases/take-settlement.ts";

const BODY_MAX_BYTES = 32 * 1024;
/** Confirmations in progress. A partner has half of them at most, so that one that hangs delays no other. */
const CONFIRMING = { concurrency: 64, queueMax: 1_024, waitMaxMs: 5_000 };
/** Larger bodies in memory at once, before anything proves whose they are: a partner has half of them at most. */
const READING = { concurrency: 8, queueMax: 64, waitMaxMs: 5_000 };

type Deps = { intake: Intake; takeSettlement: TakeSettlement; bus: Bus; log: Logger };
type Doors = Deps & { partners: readonly BankPartner[] };

/**
 * The bank doors, one for each partner: authenticate, parse, confirm, commit, answer. A partner gets its answer once the report is
 * committed. A body is not parsed unless it is authentic. A signature is over the bytes as they came, so a compressed body is
 * refused: nothing is decompressed for a caller who has proved nothing. The reports are live mode.
 */
export function bankDoors({ partners, ...deps }: Doors) {
  const confirming = createLimiter({ ...CONFIRMING, refuse: notConfirmed });
  const reading = createLimiter({ ...READING, refuse: isBusy });
  return (app: HttpApp): void => {
    for (const partner of partners) {
      const receive = createReceive(deps, partner, () => confirming.acquire(partner.id));
      const bodyOf = createBodyOf(partner.notifications, () => reading.acquire(partner.id));
      // From the start, so that the first one is an increase.
      for (const outcome of COUNTED) bankReports.inc({ partner: partner.id, outcome }, 0);
      app.post(partner.notifications.path, async (request, response) => {
        const received: Received = { isAuthentic: false };
        try {
          const body = await bodyOf(request, response);
          received.isAuthentic = partner.notifications.authenticate({ headers: request.headers, body });
          if (!received.isAuthentic)
            throw new Problem("invalid_signature", "The partner bank's signature is missing or does not match.");
          response.locals.mode = "live";
          const outcome = await receive(body, received);
          bankReports.inc({ partner: partner.id, outcome });
          reply(response, partner.notifications.answer(outcome, received.report));
        } catch (error) {
          refuse(deps, response, { partner, received, error });
        }
      });
    }
  };
}

const COUNTED = ["accepted", "rejected", "unreadable"];

/** Throws where it is too large or compressed, so that the partner gets its own words for that, too. */
function createBodyOf({ bodyMaxBytes }: BankPartner["notifications"], slot: () => Promise<() => void>) {
  const small = rawBody(BODY_MAX_BYTES);
  if (bodyMaxBytes === undefined) return small;
  const large = rawBody(bodyMaxBytes);
  return async (request: Request, response: Response): Promise<Buffer> => {
    if (Number(request.get("content-length")) <= BODY_MAX_BYTES) return small(request, response);
    const release = await slot();
    return large(request, response).finally(release);
  };
}

function rawBody(limit: number) {
  const read = express.raw({ type: () => true, limit, inflate: false });
  return (request: Request, response: Response): Promise<Buffer> => {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    read(request, response, (error?: unknown) => {
      if (error) reject(error);
      else resolve(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));
    });
    return promise;
  };
}

/** What is known about a request by then: the answer to a failure names it too. */
type Received = { isAuthentic: boolean; report?: BankReport | undefined };

function createReceive(deps: Deps, { id, notifications }: BankPartner, slot: () => Promise<() => void>) {
  const { intake, takeSettlement, bus, log } = deps;

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
    const parsed = notifications.parse(body);
    if (!parsed) return "accepted";
    if ("settled" in parsed) return takeSettlement({ bank: id, ...parsed });
    if ("payoutId" in parsed) {
      await bus.request(reviewPayout, { partner: id, reference: parsed.payoutId });
      return "accepted";
    }
    received.report = parsed;
    const { status } = await intake.accept(transferOf(id, await confirm(received.report)));
    return status;
  };
}

/** The bank does not know the transfer, yet or at all: it is not credited, and the partner repeats the report. */
const notConfirmed = () =>
  new Problem("service_unavailable", "The bank has not confirmed the transfer. Send the report again.");

const isBusy = () => new Problem("service_unavailable", "Too many long reports at once. Send the report again.");

type Answer = { status: number; body: object };

/** A report of no money of ours has nothing to answer with in our own protocol. */
function reply(response: Response, answer: Answer = { status: 200, body: {} }): void {
  response.status(answer.status).json(answer.body);
}

/** In the partner's words, where it does not read our problem documents. */
function refuse(
  { log }: Deps,
  response: Response,
  { partner, received, error }: { partner: BankPartner; received: Received; error: unknown },
): void {
  const outcome = isRejection(error) ? "rejected" : "failed";
  const counted = outcome === "rejected" && received.isAuthentic ? "unreadable" : outcome;
  bankReports.inc({ partner: partner.id, outcome: counted });
  const fields = { partner: partner.id, outcome: counted, request_id: contextOf(response).requestId };
  if (counted === "unreadable") log.error({ ...fields, ...faultIn(error) }, "a signed report could not be read");
  else {
    const isOurs = outcome === "failed" && !(error instanceof Problem) && !isTransient(error);
    log[isOurs ? "error" : "warn"]({ ...fields, err: error }, "a report was not taken");
  }
  const answer = partner.notifications.answer(outcome, received.report);
  if (!answer) throw error;
  reply(response, answer);
}

/** Which fields are at fault, and nothing of what they have: it is a person's. */
const faultIn = (error: unknown) =>
  error instanceof Problem ? { code: error.code, fields: error.errors?.map(({ param }) => param) } : {};

/** The report itself is at fault, and would be at every repeat: also a body that Express refuses. */
function isRejection(error: unknown): boolean {
  if (error instanceof Problem) return PROBLEMS[error.code].status < 500;
  return error instanceof Error && "status" in error && typeof error.status === "number" && error.status < 500;
}
