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
  collected: bigint;
  createdAt: string;
};

/** Whether something can be paid through a link at this time, and if not, why. */
export function linkStatus(
  { disabled, expiresAt, usesMax, uses }: Pick<PaymentLink, "disabled" | "expiresAt" | "usesMax" | "uses">,
  at: string,
): LinkStatus {
  if (disabled) return "disabled";
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.parse(at)) return "expired";
  return usesMax !== null && uses >= usesMax ? "used_up" : "active";
}

/** What a payer is told who comes too late. */
export const WHY_CLOSED: Record<Exclude<LinkStatus, "active">, string> = {
  disabled: "The merchant has closed this payment link.",
  expired: "This payment link has expired.",
  used_up: "This payment link has been used as often as it may be.",
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
