import { AccountNumber, Problem } from "@collect/contracts";
import { z } from "zod";
import type { TransferLookup } from "../port.ts";
import { type Monnify, refused } from "./client.ts";
import { credit, Naira, PAYMENT, PaymentStatus, reservationOf, Source } from "./event.ts";
import { givenAccount, Reservation } from "./issuing.ts";

const FAILURE = "The partner bank did not confirm the transfer.";

/**
 * Asks Monnify for a payment by its transaction reference. It has no question for a session id. Its documented answer names the
 * reservation that was paid into, and not the account (?): that is asked for.
 */
export function createLookup(monnify: Monnify): TransferLookup {
  return {
    async byId(id) {
      const signal = monnify.deadline();
      const path = `/api/v2/transactions/${encodeURIComponent(id)}`;
      const result = await monnify.request({
        method: "GET",
        path,
        schema: transactionOf(id),
        failure: FAILURE,
        signal,
      });
      if ("refusal" in result) {
        if (result.refusal.reason === "not_found") return undefined;
        throw refused(FAILURE, result.refusal);
      }
      const { destinationAccountInformation: destination, accountDetails, ...payment } = result.body;
      const { paymentSourceInformation: sources, amountPaid, product } = payment;
      // Of what was begun and not paid there is no transfer yet.
      if (amountPaid <= 0n) return undefined;
      const accountNumber = destination?.accountNumber ?? (await reserved(monnify, reservationOf(product), signal));
      // Of a payment that was not into an account of ours Monnify names none.
      if (accountNumber === undefined) return undefined;
      const paymentSourceInformation = sources.length === 0 && accountDetails ? [accountDetails] : sources;
      return credit({ ...payment, paymentSourceInformation, destinationAccountInformation: { accountNumber } });
    },
  };
}

/** The account that was given out of a reservation. */
async function reserved(monnify: Monnify, reference: string | undefined, signal: AbortSignal) {
  if (reference === undefined) return undefined;
  const path = `/api/v2/bank-transfer/reserved-accounts/${encodeURIComponent(reference)}`;
  const reservation = await monnify.call({ method: "GET", path, schema: Reserved, failure: FAILURE, signal });
  // The account of another reservation is another customer's.
  if (reservation.accountReference !== reference) throw new Problem("provider_error", FAILURE);
  return givenAccount(reservation)?.accountNumber;
}

/** One that was closed since was paid into all the same. */
const Reserved = Reservation.extend({ status: z.enum(["ACTIVE", "INACTIVE"]).nullish() });

/**
 * Of this payment, and of no other. An account that cannot be read, such as a masked one, is an error, and not that of the reservation; and a
 * payment without a status is not known as paid.
 */
const transactionOf = (id: string) =>
  z.object({
    ...PAYMENT,
    transactionReference: z.literal(id),
    paymentStatus: PaymentStatus,
    amountPaid: Naira,
    destinationAccountInformation: z.object({ accountNumber: AccountNumber.nullish() }).nullish(),
    accountDetails: Source.nullish().catch(null),
  });
