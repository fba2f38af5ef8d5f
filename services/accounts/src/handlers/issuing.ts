import { randomUUID } from "node:crypto";
import { type AccountIssuer, TEST_BANK, testBankAccount } from "@collect/bank";
import { type Mode, Problem } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { nextTestSerial } from "../store/customer-accounts.ts";

export type IssuingDeps = { pool: Pool; partner: AccountIssuer };

/**
 * What a new account begins with. In test mode its number is made on the spot; a live one has none until the bank is asked
 * under the request id, which is committed first: whoever dies in between asks again with the same.
 */
export async function newAccount({ pool, partner }: IssuingDeps, mode: Mode) {
  const isTest = mode === "test";
  return {
    id: `acc_${randomUUID().replaceAll("-", "")}`,
    account_number: isTest ? testBankAccount(await nextTestSerial(pool)) : null,
    bank_name: isTest ? TEST_BANK.name : partner.name,
    issue_request_id: randomUUID(),
  };
}

type Claimed = { id: string; issue_request_id: string; account_name: string };

/** Opens a claimed account at the bank and stores its number. Undefined when a twin has stored it before. */
export async function openAtBank<Row>(
  { pool, partner }: IssuingDeps,
  { id, issue_request_id, account_name }: Claimed,
  activate: (pool: Pool, id: string, accountNumber: string) => Promise<Row | undefined>,
): Promise<Row | undefined> {
  const { accountNumber } = await partner.issueAccount({ requestId: issue_request_id, accountName: account_name });
  return activate(pool, id, accountNumber).catch((cause) => {
    if (!isTaken(cause)) throw cause;
    throw new Problem("provider_error", "The partner bank answered with an account number that is already given.", {
      cause,
    });
  });
}

const UNIQUE_VIOLATION = "23505";
const isTaken = (error: unknown) => error instanceof Error && "code" in error && error.code === UNIQUE_VIOLATION;
