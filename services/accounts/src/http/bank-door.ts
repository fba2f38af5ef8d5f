import { BankNotice, BankTransfer, isBankNotice, SIGNATURE_HEADER, verifySignature } from "@collect/bank";
import { Problem, parseFields } from "@collect/contracts";
import type { HttpApp } from "@collect/http";
import express from "express";
import type { ReportedTransfer } from "../domain/intake.ts";
import type { Intake } from "../use-cases/intake.ts";

const BODY_MAX_BYTES = 32 * 1024;

type Door = { intake: Intake; secrets: readonly string[]; bank: string };

/**
 * The bank door: the partner bank reports a transfer, and gets 200 once it is committed. A body is not parsed unless its
 * signature is valid. The signature is over the bytes as they came, so a compressed body is refused: nothing is
 * decompressed for a caller who has proved nothing. The reports are live mode.
 */
export function bankDoor({ intake, secrets, bank }: Door) {
  return (app: HttpApp): void => {
    const rawBody = express.raw({ type: () => true, limit: BODY_MAX_BYTES, inflate: false });
    app.post("/bank/transfers", rawBody, async (request, response) => {
      const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      if (!verifySignature(raw, request.get(SIGNATURE_HEADER), secrets)) {
        throw new Problem("invalid_signature", "X-Bank-Signature is not the HMAC-SHA512 of this body.");
      }
      response.locals.mode = "live";
      const transfer = reportedBy(bank, parseJson(raw));
      const { status } = await intake.accept(transfer);
      response.json({ id: transfer.bankTransferId, status });
    });
  };
}

/** The report of the bank. A report other than a credit may omit the payer and the time. */
function reportedBy(bank: string, body: unknown): ReportedTransfer {
  if (isBankNotice(body)) {
    const payer = { name: "", accountNumber: null, bankName: null };
    return { ...reported(bank, parseFields(BankNotice, body)), payer, narration: null, paidAt: null };
  }
  const transfer = parseFields(BankTransfer, body);
  const { payer, narration, paid_at: paidAt } = transfer;
  const { name, account_number: accountNumber, bank_name: bankName } = payer;
  return { ...reported(bank, transfer), payer: { name, accountNumber, bankName }, narration, paidAt };
}

const reported = (bank: string, { id, type, account_number, amount, currency }: BankNotice) => ({
  bank,
  mode: "live" as const,
  bankTransferId: id,
  type,
  accountNumber: account_number,
  amount,
  currency: currency.toUpperCase(),
});

function parseJson(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString("utf8"));
  } catch (cause) {
    throw new Problem("malformed_body", "The body is not valid JSON.", { cause });
  }
}
