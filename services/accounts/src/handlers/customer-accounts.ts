import { answer, type Request } from "@collect/bus";
import {
  browseCustomerAccounts,
  type CustomerAccount,
  decodeCursor,
  getCustomerAccount,
  type Input,
  issueCustomerAccount,
  listCustomerAccounts,
  type Merchant,
  Problem,
  pageOf,
  type Result,
  retireCustomerAccount,
  toPage,
  UtcInstant,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { z } from "zod";
import { accountName } from "../domain/account-name.ts";
import { type ListedAccount, listByAge, listByOffset, searchByName } from "../store/customer-account-lists.ts";
import {
  type AccountRow,
  activateAccount,
  findAccount,
  insertAccount,
  retireAccount,
} from "../store/customer-accounts.ts";
import { claimAccount, type IssuingDeps, openAtBank } from "../use-cases/issue-account.ts";

export function customerAccountRequests(deps: IssuingDeps & { lists: Pool }): Request[] {
  const { pool, lists } = deps;
  return [
    answer(issueCustomerAccount, ({ merchant, customer_reference, customer_name }) =>
      issue(deps, merchant, customer_reference, customer_name),
    ),

    answer(getCustomerAccount, async ({ merchant, customer_reference }) =>
      toResponse(await findAccount(pool, merchant, customer_reference)),
    ),

    answer(retireCustomerAccount, async ({ merchant, customer_reference }) =>
      toResponse(await retireAccount(pool, merchant, customer_reference)),
    ),

    // For people: newest first, or in name order for a search.
    answer(browseCustomerAccounts, (input) => browse(lists, input)),

    answer(listCustomerAccounts, async ({ merchant, status, limit, offset }) => {
      const rows = await listByOffset(lists, merchant, { statuses: statusesOf(status), limit: limit + 1, offset });
      return pageOf(rows, { limit, offset, mode: merchant.mode, show: toResponse });
    }),
  ];
}

/**
 * The customer reference is claimed by its unique key before anything else, so one reference has one account.
 * In live mode the claim is committed before the bank is called; a crash in between leaves a pending row, and the repeated
 * call sends the bank the same request id.
 */
async function issue(deps: IssuingDeps, merchant: Merchant, customerReference: string, customerName?: string) {
  const known = await findAccount(deps.pool, merchant, customerReference);
  if (known?.account_number) return { account: toResponse(known), created: false };
  if (!known && !customerName) {
    const errors = [{ param: "customer_name", code: "required", message: "is required for a new customer_reference" }];
    throw new Problem("validation_failed", "customer_name is required the first time a customer_reference is used.", {
      errors,
    });
  }
  const claimed = known ?? (await claim(deps, merchant, customerReference, customerName ?? ""));
  if (!claimed) return issue(deps, merchant, customerReference, customerName);
  if (claimed.account_number) return { account: toResponse(claimed), created: true };

  const activated = await openAtBank(deps, claimed, activateAccount);
  return {
    account: toResponse(activated ?? (await findAccount(deps.pool, merchant, customerReference))),
    created: activated !== undefined,
  };
}

/** Undefined when a concurrent duplicate claimed the reference in between. */
async function claim(deps: IssuingDeps, merchant: Merchant, customerReference: string, customerName: string) {
  const given = {
    merchantId: merchant.id,
    mode: merchant.mode,
    customer_reference: customerReference,
    customer_name: customerName,
    account_name: accountName(merchant.name, customerName),
  };
  return claimAccount(
    deps,
    { merchant, customerReference },
    {
      insert: (account) => insertAccount(deps.pool, { ...account, ...given }),
      find: () => findAccount(deps.pool, merchant, customerReference),
    },
  );
}

async function browse(
  pool: Pool,
  { merchant, status, search, limit, after }: Input<typeof browseCustomerAccounts>,
): Promise<Result<typeof browseCustomerAccounts>> {
  const page = { statuses: statusesOf(status), limit: limit + 1 };
  if (search === undefined) {
    const rows = await listByAge(pool, merchant, {
      ...page,
      after: decodeCursor(after, [UtcInstant, z.string()]) ?? [],
    });
    return toPage(rows, { limit, cursor: ({ created_at, id }) => [created_at, id], toResponse: toListed });
  }
  const place = decodeCursor(after, [z.string(), z.string()]) ?? [];
  const rows = await searchByName(pool, merchant, { ...page, sought: asStored(search), after: place });
  return toPage(rows, { limit, cursor: ({ name, id }) => [name, id], toResponse: toListed });
}

const statusesOf = (status: "active" | "retired" | "all"): ("active" | "retired")[] =>
  status === "all" ? ["active", "retired"] : [status];

/** Names are stored in this form. */
const asStored = (name: string) => name.normalize("NFC").replace(/ +/g, " ");

const toListed = (account: ListedAccount) => ({ ...toResponse(account), retired_at: account.retired_at });

/** The account in a response. One that the bank has not opened yet is not found. */
function toResponse(account: Omit<AccountRow, "issue_request_id"> | undefined): CustomerAccount {
  if (!account?.account_number || account.status === "pending")
    throw new Problem("not_found", "There is no such customer account.");
  const { customer_reference, customer_name, account_number, account_name, bank_name, status, mode, created_at } =
    account;
  return { customer_reference, customer_name, account_number, account_name, bank_name, status, mode, created_at };
}
