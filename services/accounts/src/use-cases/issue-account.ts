import { type AccountIssuer, TEST_BANK, testBankAccount } from "@collect/bank";
import { Problem } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { type AccountOwner, accountKeys } from "../domain/account-keys.ts";

export type IssuingDeps = { pool: Pool; partner: AccountIssuer; accountKey: string };
type NewAccount = { id: string; account_number: string | null; bank_name: string; issue_request_id: string };

/** Serial collisions are rare: a new one among a thousand accounts collides once in a million. */
const TRIES = 20;

/**
 * Claims an account for its owner. In test mode its number is derived from the owner; a live account has none until the bank
 * is called with the request id, which is also derived from the owner and committed first: after a crash in between the call is
 * repeated with the same id.
 */
export async function claimAccount<Row>(
  { partner, accountKey }: IssuingDeps,
  owner: AccountOwner,
  insert: (account: NewAccount) => Promise<Row>,
): Promise<Row> {
  const isTest = owner.merchant.mode === "test";
  for (let tries = 0; ; tries++) {
    const { id, requestId, testSerial } = accountKeys(accountKey, owner, tries);
    try {
      return await insert({
        id,
        account_number: isTest ? testBankAccount(testSerial) : null,
        bank_name: isTest ? TEST_BANK.name : partner.name,
        issue_request_id: requestId,
      });
    } catch (error) {
      if (!isTest || !isTaken(error) || tries === TRIES) throw error;
    }
  }
}

type Claimed = { id: string; issue_request_id: string; account_name: string };

/** Opens a claimed account at the bank and stores its number. Undefined when a concurrent duplicate has stored it first. */
export async function openAtBank<Row>(
  { pool, partner }: Pick<IssuingDeps, "pool" | "partner">,
  { id, issue_request_id, account_name }: Claimed,
  activate: (pool: Pool, id: string, accountNumber: string) => Promise<Row | undefined>,
): Promise<Row | undefined> {
  const { accountNumber } = await partner.issueAccount({ requestId: issue_request_id, accountName: account_name });
  return activate(pool, id, accountNumber).catch((cause) => {
    if (!isTaken(cause)) throw cause;
    throw new Problem("provider_error", "The partner bank returned an account number that is already assigned.", {
      cause,
    });
  });
}

const UNIQUE_VIOLATION = "23505";
const isTaken = (error: unknown) => error instanceof Error && "code" in error && error.code === UNIQUE_VIOLATION;
