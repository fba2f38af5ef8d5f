import { answer, type Request } from "@collect/bus";
import {
  assertOneStart,
  browseCustomerAccounts,
  type CustomerAccount,
  cursorPageOf,
  decodeCursor,
  foreignCursor,
  getCustomerAccount,
  type Input,
  issueAccountWithinLimit,
  issueCustomerAccount,
  keyWith,
  listCustomerAccounts,
  Problem,
  type Result,
  retireCustomerAccount,
  searchCustomers,
  toPage,
  UtcInstant,
} from "@collect/contracts";
import { type Pool, transaction } from "@collect/database";
import type { AccountLimits } from "../adapters/limits.ts";
import { accountName } from "../domain/account-name.ts";
import { countCreationWithin } from "../store/account-creations.ts";
import { isAccountOf, type ListedAccount, listByAge } from "../store/customer-account-lists.ts";
import {
  type AccountRow,
  activateAccount,
  findAccount,
  insertAccount,
  insertCountedAccount,
  type NewAccount,
  retireAccount,
} from "../store/customer-accounts.ts";
import { findCustomers, searchCustomers as searchIds } from "../store/search.ts";
import { claimAccount, type IssuingDeps, openAtPartner, type Source, sourceFor } from "../use-cases/issue-account.ts";

export function customerAccountRequests(deps: IssuingDeps & { lists: Pool; limits: AccountLimits }): Request[] {
  const { pool, lists, limits } = deps;
  return [
    // POST /customer_accounts, which the gateway counts: as many as the specification allows, whatever other doors made.
    answer(issueCustomerAccount, (input) => issue(deps, input, async () => undefined)),

    answer(issueAccountWithinLimit, (input, context) =>
      issue(deps, input, () => limits.perHour(input.merchant.id, context)),
    ),

    answer(getCustomerAccount, async ({ merchant, customer_reference }) =>
      toResponse(await findAccount(pool, merchant, customer_reference)),
    ),

    answer(retireCustomerAccount, async ({ merchant, customer_reference }) =>
      toResponse(await retireAccount(pool, merchant, customer_reference)),
    ),

    answer(browseCustomerAccounts, (input) => browse(lists, input)),

    answer(searchCustomers, async ({ merchant, text }) => ({
      customers: await findCustomers(lists, merchant, asStored(text)),
    })),

    answer(listCustomerAccounts, async ({ merchant, status, limit, offset, after }) => {
      assertOneStart({ after, offset });
      const [, id] = placeOf(after);
      if (id && !(await isAccountOf(lists, merchant, id))) throw foreignCursor();
      const page = await pageByAge(lists, { merchant, status, limit, after, offset }, toResponse);
      return { ...cursorPageOf(page, { limit, mode: merchant.mode }), offset };
    }),
  ];
}

type Wanted = Input<typeof issueCustomerAccount>;
type Issued = Result<typeof issueCustomerAccount>;
/** The merchant's limit of new accounts in an hour; undefined where the caller has counted. Read only for a new account. */
type LimitOf = () => Promise<number | undefined>;

/**
 * The customer reference is claimed by its unique key before anything else, so one reference has one account.
 * In live mode the claim is committed before the bank is called; a crash in between leaves a pending row, and the repeated
 * call sends the bank the same request id.
 */
async function issue(deps: IssuingDeps, input: Wanted, limitOf: LimitOf): Promise<Issued> {
  const { merchant, customer_reference: customerReference, customer_name: customerName, metadata = {} } = input;
  const known = await findAccount(deps.pool, merchant, customerReference);
  if (known?.account_number) return { account: toResponse(known), created: false };
  if (!known && !customerName) {
    const errors = [{ param: "customer_name", code: "required", message: "is required for a new customer_reference" }];
    throw new Problem("validation_failed", "customer_name is required the first time a customer_reference is used.", {
      errors,
    });
  }
  const source = await sourceFor(deps, merchant, () => ({ bvn: input.bvn, nin: input.nin }));
  const wanted = { merchant, customer_reference: customerReference, customer_name: customerName ?? "", metadata };
  const claimed = known ?? (await claim(deps, { ...wanted, source }, await limitOf()));
  if (!claimed) return issue(deps, input, limitOf);
  if (source === "test" || claimed.account_number) return { account: toResponse(claimed), created: true };

  const activated = await openAtPartner(deps, claimed, source, activateAccount);
  return {
    account: toResponse(activated ?? (await findAccount(deps.pool, merchant, customerReference))),
    created: activated !== undefined,
  };
}

/** Undefined when a concurrent duplicate claimed the reference in between. */
async function claim(
  deps: IssuingDeps,
  {
    merchant,
    customer_reference: customerReference,
    customer_name: customerName,
    metadata,
    source,
  }: Required<Omit<Wanted, "bvn" | "nin">> & { source: Source },
  perHour: number | undefined,
): Promise<AccountRow | undefined> {
  const given = {
    merchantId: merchant.id,
    mode: merchant.mode,
    customer_reference: customerReference,
    customer_name: customerName,
    account_name: accountName(merchant.name, customerName),
    metadata,
  };
  return claimAccount(
    deps,
    { owner: { merchant, customerReference }, source },
    {
      insert: (account) => insertCounted(deps.pool, { ...account, ...given }, perHour),
      find: () => findAccount(deps.pool, merchant, customerReference),
    },
  );
}

/** Inserts the account and counts it, both or neither. A reference that is taken makes no account and is not counted. */
function insertCounted(pool: Pool, account: NewAccount, perHour: number | undefined): Promise<AccountRow | undefined> {
  if (perHour === undefined) return insertCountedAccount(pool, account);
  return transaction(pool, async (tx) => {
    const inserted = await insertAccount(tx, account);
    if (!inserted) return;
    const retryAfterS = await countCreationWithin(tx, account.merchantId, perHour);
    if (retryAfterS !== undefined) throw tooManyAccounts(perHour, retryAfterS);
    return inserted;
  });
}

const tooManyAccounts = (perHour: number, retryAfterS: number) =>
  new Problem(
    "rate_limited",
    `At most ${perHour} accounts for new customers can be made in any 60 minutes. Customers who have an account are not affected.`,
    { retryAfterS },
  );

async function browse(
  pool: Pool,
  { search, ...asked }: Input<typeof browseCustomerAccounts>,
): Promise<Result<typeof browseCustomerAccounts>> {
  if (search === undefined) return pageByAge(pool, asked, toListed);
  const { ids, isPartial } = await searchIds(pool, asked.merchant, asStored(search));
  return { ...(await pageByAge(pool, { ...asked, ids }, toListed)), is_partial: isPartial };
}

type PageByAge = Omit<Partial<Input<typeof browseCustomerAccounts>>, "search"> &
  Pick<Input<typeof browseCustomerAccounts>, "merchant" | "status" | "limit"> & { offset?: number; ids?: string[] };

async function pageByAge<Item>(
  pool: Pool,
  { merchant, status, limit, after, references, ...others }: PageByAge,
  toResponse: (account: ListedAccount) => Item,
): Promise<{ data: Item[]; next: string | null }> {
  const rows = await listByAge(pool, merchant, {
    ...{ statuses: statusesOf(status), limit: limit + 1, ...others },
    references: references?.filter(isStorable),
    after: placeOf(after),
  });
  return toPage(rows, { limit, cursor: ({ created_at, id }) => [created_at, id], toResponse });
}

const placeOf = (after: string | undefined) => decodeCursor(after, [UtcInstant, keyWith("acc_")]) ?? [];

const statusesOf = (status: "active" | "retired" | "all"): ("active" | "retired")[] =>
  status === "all" ? ["active", "retired"] : [status];

/** PostgreSQL refuses text with some of these characters, and no reference has any. */
const isStorable = (text: string): boolean => !/[\p{Cc}\p{Cs}]/u.test(text);

/** Names are stored in this form. */
const asStored = (name: string) => name.normalize("NFC").replace(/ +/g, " ");

const toListed = (account: ListedAccount) => ({ ...toResponse(account), retired_at: account.retired_at });

/** The account in a response. One that the bank has not opened yet is not found. */
function toResponse(account: Omit<AccountRow, "issue_request_id"> | undefined): CustomerAccount {
  if (!account?.account_number || account.status === "pending")
    throw new Problem("not_found", "There is no such customer account.");
  const { customer_reference, customer_name, account_number, account_name, bank_name, status } = account;
  const { metadata, mode, created_at } = account;
  return {
    ...{ customer_reference, customer_name, account_number, account_name, bank_name, status },
    ...{ metadata, mode, created_at },
  };
}
