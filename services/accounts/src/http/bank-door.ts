import type { BankReport, LocalPartner } from "@collect/bank";
import { Problem } from "@collect/contracts";
import type { HttpApp } from "@collect/http";
import express from "express";
import type { ReportedTransfer } from "../domain/intake.ts";
import type { Intake } from "../use-cases/intake.ts";

const BODY_MAX_BYTES = 32 * 1024;

type Door = { intake: Intake; partner: Pick<LocalPartner, "id" | "notifications"> };

/**
 * The bank door: the partner bank reports a transfer, and gets 200 once it is committed. A body is not parsed unless its
 * signature is valid. The signature is over the bytes as they came, so a compressed body is refused: nothing is
 * decompressed for a caller who has proved nothing. The reports are live mode.
 */
export function bankDoor({ intake, partner }: Door) {
  const { notifications } = partner;
  return (app: HttpApp): void => {
    const rawBody = express.raw({ type: () => true, limit: BODY_MAX_BYTES, inflate: false });
    app.post(notifications.path, rawBody, async (request, response) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      if (!notifications.authenticate({ headers: request.headers, body })) {
        throw new Problem("invalid_signature", "X-Bank-Signature is not the HMAC-SHA512 of this body.");
      }
      response.locals.mode = "live";
      const report = notifications.parse(body);
      const { status } = await intake.accept(transferOf(partner.id, report));
      const answer = notifications.answer(status, report);
      if (!answer) throw new Error("a committed report has no answer");
      response.status(answer.status).json(answer.body);
    });
  };
}

const transferOf = (bank: string, { id, ...report }: BankReport): ReportedTransfer => ({
  ...report,
  ...{ bank, mode: "live", bankTransferId: id },
});
