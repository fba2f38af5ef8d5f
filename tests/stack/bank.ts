import { SIGNATURE_HEADER, signBody } from "@collect/bank";
import { instantOf } from "@collect/contracts";
import { randomId } from "@collect/testing";
import { type Answer, client } from "./client.ts";

/** A transfer as the partner bank reports it; `amount` in naira. */
export type BankTransfer = {
  id: string;
  account_number: string;
  amount: number;
  currency: string;
  payer: { name: string; account_number: string | null; bank_name: string | null };
  narration: string | null;
  paid_at: string;
};

/** Paid now by default. */
export function aBankTransfer(
  given: Partial<BankTransfer> & Pick<BankTransfer, "account_number" | "amount">,
): BankTransfer {
  return {
    id: randomId("trf"),
    currency: "NGN",
    payer: { name: "Chidi Eze", account_number: "0123456789", bank_name: "First Bank" },
    narration: null,
    paid_at: instantOf(new Date()),
    ...given,
  };
}

/** Reports a transfer as the partner bank does: posted to the bank door, signed over its bytes. */
export function reportTransfer(
  door: { url: string; secret: string },
  transfer: object,
  given: Record<string, string> = {},
): Promise<Answer> {
  const raw = JSON.stringify(transfer);
  const headers = { ...given, [SIGNATURE_HEADER]: signBody(raw, door.secret) };
  return client(door.url).send("POST", "/bank/transfers", { raw, headers });
}
