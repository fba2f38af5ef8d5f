import type { PayoutPartner, PayoutState } from "@collect/bank";

/** The partners that pay out in one mode. */
export type PayoutPartners = {
  all: readonly PayoutPartner[];
  /** Sends the payouts of merchants for which no other was chosen, and names the holders of accounts for them. */
  standard: PayoutPartner;
};

export const onlyPartner = (partner: PayoutPartner): PayoutPartners => ({ all: [partner], standard: partner });

/** Sends a merchant's payouts from now on. Undefined if the one that was chosen for it is not configured: no other is called instead. */
export const partnerFor = ({ all, standard }: PayoutPartners, choice: string | null): PayoutPartner | undefined =>
  choice === null ? standard : all.find(({ id }) => id === choice);

/** The partner that a transfer was sent to. Throws if it is not configured any more: only it can say how the transfer ended. */
export function partnerOf({ all }: PayoutPartners, id: string | null): PayoutPartner {
  const partner = all.find((each) => each.id === id);
  if (!partner) throw new Error(`the partner ${id} of the transfer is not configured`);
  return partner;
}

/**
 * The partners that may know a transfer. That is the one it was sent to, unless that was not recorded, or a restored database may
 * have lost that another one was called before: then any of them, that one first.
 */
export function partnersToAsk(
  partners: PayoutPartners,
  { partner }: { partner: string | null },
  { hasRecovered }: { hasRecovered: boolean },
): readonly PayoutPartner[] {
  const sentTo = partner === null ? undefined : partnerOf(partners, partner);
  if (sentTo && !hasRecovered) return [sentTo];
  const first = sentTo ?? partners.standard;
  return [first, ...partners.all.filter((other) => other !== first)];
}

/** What a partner says of a transfer that it knows, or may know. */
export type Answer = { partner: PayoutPartner; state: PayoutState };

/** What all of them say together. While several may have it, and none says that it does, it can be ordered at none of `candidates`. */
export type Known = Answer & { candidates: readonly PayoutPartner[] };

/** What several partners say of one transfer: an end before all else, and what one of them has before what it may not have. */
export function mostCertain(answers: readonly Answer[]): Known | undefined {
  const isCertain = ({ state }: Answer) => !state.isUncertain;
  const known = answers.find(({ state }) => state.status !== "pending") ?? answers.find(isCertain) ?? answers[0];
  if (!known) return undefined;
  return { ...known, candidates: isCertain(known) ? [known.partner] : answers.map(({ partner }) => partner) };
}
