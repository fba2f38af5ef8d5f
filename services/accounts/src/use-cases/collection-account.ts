import type { issueCollectionAccount, Merchant, Result } from "@collect/contracts";
import { collectionAccountName } from "../domain/account-name.ts";
import {
  activateCollectionAccount,
  type CollectionAccountRow,
  findCollectionAccount,
  insertCollectionAccount,
} from "../store/collection-accounts.ts";
import { claimAccount, type IssuingDeps, openAtPartner, type Source, sourceFor } from "./issue-account.ts";

type CollectionAccount = Result<typeof issueCollectionAccount>;

/** The n-th account of a merchant's pool, issued on first use like customer accounts; the position is the key. */
export async function collectionAccountOf(
  deps: IssuingDeps,
  merchant: Merchant,
  position: number,
): Promise<CollectionAccount> {
  const read = () => findCollectionAccount(deps.pool, merchant, position);
  const known = await read();
  if (known?.account_number) return toResponse(known);
  const source = await sourceFor(deps, merchant, ({ businessIdentity = {} }) => businessIdentity);
  const claimed = known ?? (await claim(deps, { merchant, position, source })) ?? (await read());
  if (!claimed) throw new Error("a claimed position has no row");
  if (source === "test" || claimed.account_number !== null) return toResponse(claimed);
  return toResponse((await openAtPartner(deps, claimed, source, activateCollectionAccount)) ?? (await read()));
}

/** Undefined when a concurrent duplicate claimed the position in between. */
async function claim(
  deps: IssuingDeps,
  { merchant, position, source }: { merchant: Merchant; position: number; source: Source },
) {
  const given = {
    merchantId: merchant.id,
    mode: merchant.mode,
    position,
    account_name: collectionAccountName(merchant.name),
  };
  return claimAccount(
    deps,
    { owner: { merchant, position }, source },
    {
      insert: (account) => insertCollectionAccount(deps.pool, { ...account, ...given }),
      find: () => findCollectionAccount(deps.pool, merchant, position),
    },
  );
}

function toResponse(account: CollectionAccountRow | undefined): CollectionAccount {
  if (!account?.account_number) throw new Error("an issued collection account has no number");
  const { position, account_number, account_name, bank_name } = account;
  return { position, account_number, account_name, bank_name };
}
