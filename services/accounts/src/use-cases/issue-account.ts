import { type LocalPartner, TEST_BANK, testBankAccount } from "@collect/bank";
import type { Standings } from "@collect/bus";
import { Problem } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { type AccountOwner, accountKeys } from "../domain/account-keys.ts";

export type IssuingDeps = {
  pool: Pool;
  partner: Pick<LocalPartner, "name" | "issuer">;
  accountKey: string;
  /** Asked before an account is claimed and before it is opened; an account that exists is returned without asking. */
  standings: Pick<Standings, "assertMayCreate">;
};
type NewAccount = { id: string; account_number: string | null; bank_name: string; issue_request_id: string };

/** Serial collisions are rare: a new one among a thousand accounts collides once in a million. */
const TRIES = 20;

/** `insert` gives undefined when anything of the account is taken; `find` reads the account of the owner. */
type Claims<Row> = { insert(account: NewAccount): Promise<Row | undefined>; find(): Promise<Row | undefined> };

/**
 * Claims an account for its owner; undefined when a concurrent duplicate claimed it first. In test mode its number is derived
 * from the owner; a live account has none until the bank is called with the request id, which is also derived from the owner
 * and committed first: after a crash in between the call is repeated with the same id.
 */
export async function claimAccount<Row>(
  { partner, accountKey }: IssuingDeps,
  owner: AccountOwner,
  { insert, find }: Claims<Row>,
): Promise<Row | undefined> {
  const isTest = owner.merchant.mode === "test";
  for (let tries = 0; tries <= TRIES; tries++) {
    const { id, requestId, testSerial } = accountKeys(accountKey, owner, tries);
    const account = {
      id,
      account_number: isTest ? testBankAccount(testSerial) : null,
      bank_name: isTest ? TEST_BANK.name : partner.name,
      issue_request_id: requestId,
    };
    const claimed = await insert(account).catch(undefinedIfTaken);
    if (claimed || (await find())) return claimed;
  }
  throw new Error("no free account number was found");
}

type Claimed = { id: string; issue_request_id: string; account_name: string };

/** Opens a claimed account at the bank and stores its number. Undefined when a concurrent duplicate has stored it first. */
export async function openAtBank<Row>(
  { pool, partner }: Pick<IssuingDeps, "pool" | "partner">,
  { id, issue_request_id, account_name }: Claimed,
  activate: (pool: Pool, id: string, accountNumber: string) => Promise<Row | undefined>,
): Promise<Row | undefined> {
  const { accountNumber } = await partner.issuer.issueAccount({
    requestId: issue_request_id,
    accountName: account_name,
  });
  return activate(pool, id, accountNumber).catch((cause) => {
    if (!isTaken(cause)) throw cause;
    throw new Problem("provider_error", "The partner bank returned an account number that is already assigned.", {
      cause,
    });
  });
}

const UNIQUE_VIOLATION = "23505";
const isTaken = (error: unknown) => error instanceof Error && "code" in error && error.code === UNIQUE_VIOLATION;

/** A number of the other table, which a trigger refuses: no index covers both. */
function undefinedIfTaken(error: unknown): undefined {
  if (!isTaken(error)) throw error;
}
