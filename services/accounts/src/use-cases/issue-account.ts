import { TEST_BANK, testBankAccount } from "@collect/bank";
import type { Epochs, Standings } from "@collect/bus";
import { type MerchantScope, Problem } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { failpoint } from "@collect/runtime";
import { type AccountOwner, accountKeys } from "../domain/account-keys.ts";
import { type Identity, type IssuingPartner, identityFor, type Partners, partnerFor } from "../domain/partners.ts";
import type { IssuedAt } from "../store/customer-accounts.ts";
import { findChoice } from "../store/partner-choices.ts";
import { claimPooled, setAside } from "../store/pooled-accounts.ts";

export type IssuingDeps = {
  pool: Pool;
  partners: Partners;
  accountKey: string;
  /** Asked before an account is claimed and before it is opened; an account that exists is returned without asking. */
  standings: Pick<Standings, "assertMayCreate">;
  epochs: Pick<Epochs, "assertCurrent">;
};

/** Where a new account comes from: the test bank, or a live partner with what it is given about the person. */
export type Source = "test" | { partner: IssuingPartner; identity: Identity | undefined };

/** Throws unless the merchant may have a new account, and `identity_required` without a number that its partner needs. */
export async function sourceFor(
  { pool, partners, standings }: IssuingDeps,
  merchant: MerchantScope,
  identityOf: (partner: IssuingPartner) => Identity,
): Promise<Source> {
  await standings.assertMayCreate(merchant);
  if (merchant.mode === "test") return "test";
  const partner = partnerFor(partners, await findChoice(pool, merchant.id));
  return { partner, identity: identityFor(partner, identityOf(partner)) };
}

type NewAccount = { id: string; account_number: string | null; bank_name: string; issue_request_id: string };

/** Serial collisions are rare: a new one among a thousand accounts collides once in a million. */
const TRIES = 20;

/** `insert` gives undefined when anything of the account is taken; `find` reads the account of the owner. */
type Claims<Row> = { insert(account: NewAccount): Promise<Row | undefined>; find(): Promise<Row | undefined> };

/**
 * Claims an account for its owner; undefined when a concurrent duplicate claimed it first. In test mode its number is derived
 * from the owner; a live account has none until its partner is called with the request id, which is also derived from the owner
 * and committed first: after a crash in between the call is repeated with the same id.
 */
export async function claimAccount<Row>(
  { accountKey }: IssuingDeps,
  { owner, source }: { owner: AccountOwner; source: Source },
  { insert, find }: Claims<Row>,
): Promise<Row | undefined> {
  for (let tries = 0; tries <= TRIES; tries++) {
    const { id, requestId, testSerial } = accountKeys(accountKey, owner, tries);
    const account = {
      id,
      account_number: source === "test" ? testBankAccount(testSerial) : null,
      bank_name: source === "test" ? TEST_BANK.name : source.partner.name,
      issue_request_id: requestId,
    };
    const claimed = await insert(account).catch(undefinedIfTaken);
    if (claimed || (await find())) return claimed;
  }
  throw new Error("no free account number was found");
}

type Claimed = { id: string; issue_request_id: string; account_name: string };
type LiveSource = Exclude<Source, "test">;

/**
 * Opens a claimed account at the partner, and stores its number and its partner. Undefined when a concurrent duplicate has stored
 * them first. Every step can be repeated: whatever dies in between, the next call for the owner goes on from there. A merchant
 * whose partner was changed in between gets the account at the new one.
 */
export async function openAtPartner<Row>(
  deps: Pick<IssuingDeps, "pool" | "epochs">,
  claimed: Claimed,
  source: LiveSource,
  activate: (pool: Pool, id: string, account: IssuedAt) => Promise<Row | undefined>,
): Promise<Row | undefined> {
  const { pool, epochs } = deps;
  // A database that was restored may lack the owner's account and the merchant's choice of a partner, and an account of a pool that is free
  // there may have an owner.
  epochs.assertCurrent();
  const { pooledId, ...issued } = await open(pool, claimed, source);
  failpoint("posted");
  return activate(pool, claimed.id, { ...issued, partner: source.partner.id }).catch(async (cause) => {
    if (!isTaken(cause)) throw cause;
    if (pooledId) await setAside(pool, pooledId, "the number belongs to another account");
    throw new Problem("provider_error", "The partner bank returned an account number that is already assigned.", {
      cause,
    });
  });
}

type Issued = Omit<IssuedAt, "partner">;

/** From a pool, one is first claimed for the owner: a repeat renames the same one again. */
async function open(
  pool: Pool,
  { id: accountId, issue_request_id: requestId, account_name: accountName }: Claimed,
  { partner: { id: partner, issuer }, identity }: LiveSource,
): Promise<Issued & { pooledId?: string }> {
  if (issuer.kind === "by_request")
    return issuer.issueAccount({ requestId, accountName, ...(identity && { identity }) });
  const claim = () => claimPooled(pool, { partner, accountId });
  const pooled = await claim().catch((error) => (isTaken(error) ? claim() : Promise.reject(error)));
  if (!pooled) throw poolIsEmpty();
  failpoint("committed");
  const { id: pooledId, account_number: accountNumber, bank_name: bankName } = pooled;
  return { accountNumber, accountName: await issuer.renameAccount({ accountNumber, accountName }), bankName, pooledId };
}

const poolIsEmpty = () =>
  new Problem("service_unavailable", "No account is ready at the partner bank. It is safe to repeat the call.", {
    retryAfterS: 10,
  });

const UNIQUE_VIOLATION = "23505";
const isTaken = (error: unknown) => error instanceof Error && "code" in error && error.code === UNIQUE_VIOLATION;

/** A number of the other table, which a trigger refuses: no index covers both. */
function undefinedIfTaken(error: unknown): undefined {
  if (!isTaken(error)) throw error;
}
