import { type LinkStatus, type Mode, referenceOf } from "@collect/contracts";

/** What a merchant says of a link when it is made; nothing of it changes afterwards. Amount in kobo. */
export type LinkTerms = {
  title: string;
  description: string | null;
  /** Null: the payer says how much. */
  amount: bigint | null;
  expiresAt: string | null;
  usesMax: number | null;
};

/** A reusable link to a checkout: each payer who opens it gets a session. */
export type PaymentLink = LinkTerms & {
  slug: string;
  merchantId: string;
  mode: Mode;
  merchantName: string;
  disabled: boolean;
  /** Sessions that are open or received money, and what all of its sessions have received. */
  uses: number;
  /** Of the uses, those that are open and have received nothing: one that expires gives its use back. */
  usesUnpaid: number;
  collected: bigint;
  createdAt: string;
};

/**
 * How many payments of one link may be open and unpaid at once. Anybody who knows a link can open them, and each keeps its exact
 * amount from the merchant's other payers for two hours after it expires: five times as many at most, about half of what the
 * accounts that are made for the public (10, of 99 each) have of one price. Whoever fills a link blocks that link alone.
 */
export const UNPAID_MAX = 100;

type Uses = Pick<PaymentLink, "disabled" | "expiresAt" | "usesMax" | "uses" | "usesUnpaid">;

/** Whether something can be paid through a link at this time, and if not, why. */
export function linkStatus({ disabled, expiresAt, usesMax, uses, usesUnpaid }: Uses, at: string): LinkStatus {
  if (disabled) return "disabled";
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.parse(at)) return "expired";
  if (usesMax !== null && uses - usesUnpaid >= usesMax) return "used_up";
  return usesUnpaid >= UNPAID_MAX || (usesMax !== null && uses >= usesMax) ? "held" : "active";
}

/** What a payer is told who comes too late, or too early. */
export const WHY_CLOSED: Record<Exclude<LinkStatus, "active">, string> = {
  disabled: "The merchant has closed this payment link.",
  expired: "This payment link has expired.",
  used_up: "This payment link has been used as often as it may be.",
  held: "Payments that are under way hold this payment link. One may become free within half an hour.",
};

export function isSameLink(known: LinkTerms, asked: LinkTerms): boolean {
  return (
    known.title === asked.title &&
    known.description === asked.description &&
    known.amount === asked.amount &&
    known.usesMax === asked.usesMax &&
    (known.expiresAt && Date.parse(known.expiresAt)) === (asked.expiresAt && Date.parse(asked.expiresAt))
  );
}

/** The last ten of 22 characters: of 58^10, each is as likely. */
export const slugOf = (bytes: Uint8Array): string => referenceOf("pay", bytes).slice(-10);

/** What a session that is opened through the link is for. */
export const purposeOf = ({ title, description }: LinkTerms): string => [title, description ?? []].flat().join("\n");
