import { nuban } from "@collect/bank";
import { z } from "zod";
import type { Journal } from "../journal.ts";
import { serialFrom } from "../serials.ts";
import { Refusal } from "./envelope.ts";

/** The banks at which Monnify reserves accounts: its code, the code whose check digit they carry, and the name. */
const ISSUERS = [
  { bankCode: "50515", nubanCode: "950515", bankName: "Moniepoint Microfinance Bank" },
  { bankCode: "035", nubanCode: "035", bankName: "Wema bank" },
  { bankCode: "232", nubanCode: "232", bankName: "Sterling bank" },
];
/** Longer names are cut by the bank. */
const NAME_MAX = 40;

const text = z.string().min(1).max(300);
export const Reserve = z.object({
  accountReference: text,
  accountName: text,
  contractCode: text,
  currencyCode: z.literal("NGN").optional(),
  customerEmail: text,
  customerName: text,
  bvn: z.string().optional(),
  nin: z.string().optional(),
  getAllAvailableBanks: z.boolean().default(true),
  preferredBanks: z.array(z.string()).max(20).default([]),
});
export type Reserve = z.output<typeof Reserve>;

/** The BVN or NIN is not stored, not even here. */
export const Reservation = z.object({
  accountReference: z.string(),
  accountName: z.string(),
  contractCode: z.string(),
  currencyCode: z.string(),
  customerEmail: z.string(),
  customerName: z.string(),
  accounts: z.array(
    z.object({ bankCode: z.string(), bankName: z.string(), accountNumber: z.string(), accountName: z.string() }),
  ),
  collectionChannel: z.string(),
  reservedAccountType: z.string(),
  status: z.string(),
});
export type Reservation = z.output<typeof Reservation>;

export type Reservations = {
  reserve(request: Reserve): Reservation;
  get(reference: string): Reservation;
  /** The reservation to which an account number belongs. */
  of(accountNumber: string): Reservation | undefined;
};

type Options = { contractCode: string; journal: Journal<Reservation> };

export function createReservations({ contractCode, journal }: Options): Reservations {
  const byReference = new Map<string, Reservation>();
  const byNumber = new Map<string, Reservation>();
  const customers = new Set<string>();

  function add(reservation: Reservation): void {
    byReference.set(reservation.accountReference, reservation);
    customers.add(reservation.customerEmail);
    for (const { accountNumber } of reservation.accounts) byNumber.set(accountNumber, reservation);
  }
  journal.entries.forEach(add);

  /** Derived from the reference, so that it stays the same even if the directory is lost. Taken numbers are skipped. */
  function freeNumber(bankCode: string, reference: string): string {
    for (let attempt = 0; ; attempt++) {
      const number = nuban({ bankCode, serial: serialFrom(`monnify:${bankCode}:${reference}:${attempt}`) });
      if (!byNumber.has(number)) return number;
    }
  }

  function refuse(request: Reserve): void {
    if (request.contractCode !== contractCode) throw new Refusal(422, "Invalid contract code supplied.");
    const numbers = [request.bvn, request.nin].filter((number) => number !== undefined);
    if (numbers.length === 0) throw new Refusal(400, "BVN or NIN is required");
    if (!numbers.every((number) => /^\d{11}$/.test(number)))
      throw new Refusal(400, "BVN is invalid. Must be 11 digits");
    if (byReference.has(request.accountReference))
      throw new Refusal(422, "You can not reserve two accounts with the same reference.");
    if (customers.has(request.customerEmail))
      throw new Refusal(422, "You cannot reserve more than 1 account(s) for a customer", "R42");
  }

  return {
    reserve(request) {
      refuse(request);
      const banks = ISSUERS.filter(
        ({ bankCode }) => request.getAllAvailableBanks || request.preferredBanks.includes(bankCode),
      );
      const { accountReference, accountName, customerEmail, customerName } = request;
      const accounts = banks.map(({ bankCode, nubanCode, bankName }) => ({
        ...{ bankCode, bankName, accountName: accountName.slice(0, NAME_MAX) },
        accountNumber: freeNumber(nubanCode, accountReference),
      }));
      const reservation = {
        ...{ accountReference, accountName, contractCode, currencyCode: "NGN", customerEmail, customerName, accounts },
        ...{ collectionChannel: "RESERVED_ACCOUNT", reservedAccountType: "GENERAL", status: "ACTIVE" },
      };
      journal.append(reservation);
      add(reservation);
      return reservation;
    },
    get(reference) {
      const reservation = byReference.get(reference);
      if (!reservation) throw new Refusal(404, "Cannot find reserved account");
      return reservation;
    },
    of: (accountNumber) => byNumber.get(accountNumber),
  };
}
