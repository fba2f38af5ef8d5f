import { type AccountRequest, type BankPartner, TEST_BANK } from "@collect/bank";
import { type Mode, Problem } from "@collect/contracts";

export type Identity = NonNullable<AccountRequest["identity"]>;

/** A partner, and the number that opens accounts in the name of a business there, where it needs one. */
export type IssuingPartner = BankPartner & { businessIdentity?: Identity };

export type Partners = {
  all: readonly IssuingPartner[];
  /** Opens the accounts of merchants for which no other was chosen. */
  standard: IssuingPartner;
  /** The id of the bank that speaks our own protocol, which holds the accounts that are stored without a partner. */
  own: string | undefined;
};

/** The bank of the accounts of this mode that are stored without a partner. */
export const ownBankIn = (mode: Mode, own: Partners["own"]): string | null =>
  mode === "test" ? TEST_BANK.code : (own ?? null);

export const partnerOf = ({ all }: Pick<Partners, "all">, id: string): IssuingPartner | undefined =>
  all.find((partner) => partner.id === id);

/** The partner of a merchant's next accounts. A choice that is no longer configured counts for nothing. */
export const partnerFor = (partners: Partners, choice: string | undefined): IssuingPartner =>
  (choice !== undefined && partnerOf(partners, choice)) || partners.standard;

/** What the partner is given about a person: nothing that it does not need. Throws `identity_required` without what it needs. */
export function identityFor({ issuer: { needs } }: Pick<BankPartner, "issuer">, given: Identity): Identity | undefined {
  if (needs.length === 0) return undefined;
  const passed = Object.fromEntries(needs.flatMap((name) => (given[name] ? [[name, given[name]]] : [])));
  if (Object.keys(passed).length > 0) return passed;
  const errors = needs.map((param) => ({ param, code: "required", message: `the partner bank needs ${one(needs)}` }));
  throw new Problem(
    "identity_required",
    `The partner bank opens an account only with the customer's ${one(needs)}. Send it with the call; it is passed on and not stored.`,
    { errors },
  );
}

const one = (needs: readonly string[]) => needs.map((name) => name.toUpperCase()).join(" or ");
