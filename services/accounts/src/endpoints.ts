import { BankTransfer, SIGNATURE_HEADER, verifySignature } from "@collect/bank";
import { fieldErrors, invalidFields, Problem } from "@collect/contracts";
import type { HttpApp } from "@collect/http";
import express from "express";
import type { Intake } from "./handlers/intake.ts";

const BODY_MAX_BYTES = 32 * 1024;

/**
 * The bank door: the partner bank reports a transfer, and gets 200 once it is committed. Nothing is read from a body
 * whose signature does not hold. Its money is live money.
 */
export function bankDoor({ intake, secret, bank }: { intake: Intake; secret: string; bank: string }) {
  return (app: HttpApp): void => {
    app.post("/bank/transfers", express.raw({ type: () => true, limit: BODY_MAX_BYTES }), async (request, response) => {
      const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      if (!verifySignature(raw, request.get(SIGNATURE_HEADER), secret)) {
        throw new Problem("invalid_signature", "X-Bank-Signature is not the HMAC-SHA512 of this body.");
      }
      response.locals.mode = "live";
      const transfer = BankTransfer.safeParse(parseJson(raw));
      if (!transfer.success) throw invalidFields(fieldErrors(transfer.error));
      const { id, account_number, amount, currency, payer, narration, paid_at } = transfer.data;
      const { status } = await intake.takeIn({
        bank,
        mode: "live",
        bankTransferId: id,
        accountNumber: account_number,
        amount,
        currency: currency.toUpperCase(),
        payer: { name: payer.name, accountNumber: payer.account_number, bankName: payer.bank_name },
        narration,
        paidAt: paid_at,
      });
      response.json({ id, status });
    });
  };
}

function parseJson(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString("utf8"));
  } catch (cause) {
    throw new Problem("malformed_body", "The body is not valid JSON.", { cause });
  }
}
