import { randomBytes } from "node:crypto";
import type { Fact, MerchantScope, Mode, transferReceived } from "@collect/contracts";

/** A unique identifier. */
export function randomId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString("hex")}`;
}

export function aMerchant(mode: Mode = "test"): MerchantScope {
  return { id: randomId("mer"), mode };
}

type Transfer = Fact<typeof transferReceived>;

/** A transfer as accounts publishes it. The default is 10,000.00 naira into a customer's account. */
export function aTransfer(given: Partial<Transfer> = {}): Transfer {
  return {
    intakeId: randomId("int"),
    merchant: aMerchant(),
    accountNumber: "0000000017",
    customer: { reference: "cust_42", name: "Ada Obi" },
    amount: 1_000_000n,
    currency: "NGN",
    payer: { name: "Chidi Eze", accountNumber: "0123456789", bankName: "First Bank" },
    paidAt: "2026-11-21T09:30:00.000+00:00",
    receivedAt: "2026-11-21T09:30:01.000+00:00",
    fundedBy: "bank",
    ...given,
  };
}
