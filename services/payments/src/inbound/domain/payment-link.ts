import { type LinkStatus, type Mode, referenceOf } from "@collect/contracts";

/** The terms of a link, which never change after it is created. Amount in kobo. */
export type LinkTerms = {
  title: string;
  description: string | null;
  /** Null: the payer enters the amount. */
  amount: bigint | null;
  expiresAt: string | null;
  usesMax: number | null;
};

/** A reusable link to a checkout: each payer who submits its form gets a session. */
export type PaymentLink = LinkTerms & {
  slug: string;
  merchantId: string;
  mode: Mode;
  merchantName: string;
  disabled: boolean;
  /** Sessions that are open or have received money, and the total that all of them have received. */
  uses: number;
  /** The uses that are open and have received nothing: one that expires gives its use back. */
  usesUnpaid: number;
  collected: bigint;
  createdAt: string;
};

/**
 * How many payments of one link may be open and unpaid at once. Anyone who knows a link can create them, and each
 * blocks its exact amount for the merchant's other payers for two hours after it expires: at most five times as many,
 * about half of the slots of one price in the accounts that are issued for the public (10, with 99 slots each).
 * Flooding a link therefore blocks only that link.
 */
export const UNPAID_MAX = 100;

type Uses = Pick<PaymentLink, "disabled" | "expiresAt" | "usesMax" | "uses" | "usesUnpaid">;

/** Whether a link can be paid at this time, and if not, why. */
export function linkStatus({ disabled, expiresAt, usesMax, uses, usesUnpaid }: Uses, at: string): LinkStatus {
  if (disabled) return "disabled";
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.parse(at)) return "expired";
  if (usesMax !== null && uses - usesUnpaid >= usesMax) return "used_up";
  return usesUnpaid >= UNPAID_MAX || (usesMax !== null && uses >= usesMax) ? "held" : "active";
}

/** Shown to a payer who comes too late or too early. */
export const WHY_CLOSED: Record<Exclude<LinkStatus, "active">, string> = {
  disabled: "The merchant has closed this payment link.",
  expired: "This payment link has expired.",
  used_up: "This payment link has reached its maximum number of uses.",
  held: "All uses of this payment link are taken by payments in progress. One may become available within half an hour.",
};

export function isSameLink(known: LinkTerms, requested: LinkTerms): boolean {
  return (
    known.title === requested.title &&
    known.description === requested.description &&
    known.amount === requested.amount &&
    known.usesMax === requested.usesMax &&
    (known.expiresAt && Date.parse(known.expiresAt)) === (requested.expiresAt && Date.parse(requested.expiresAt))
  );
}

/** The last ten of 22 base58 characters: all 58^10 values are equally likely. */
export const slugOf = (bytes: Uint8Array): string => referenceOf("pay", bytes).slice(-10);

/** The description of a session that is created through the link. */
export const descriptionOf = ({ title, description }: LinkTerms): string =>
  [title, description ?? []].flat().join("\n");
