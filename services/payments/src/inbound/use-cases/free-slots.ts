import type { Bus } from "@collect/bus";
import { issueCollectionAccount, type Merchant, type RequestContext } from "@collect/contracts";
import type { Pool } from "@collect/database";
import type { Config } from "../../config.ts";
import type { Announce } from "../adapters/announcements.ts";
import type { PaymentSession } from "../domain/session.ts";
import { addCollectionAccount, releaseSlots, takeOverSlot } from "../store/slots.ts";

type Deps = {
  config: Pick<Config, "SLOT_PAUSE_S" | "COLLECTION_ACCOUNTS_MAX" | "PUBLIC_COLLECTION_ACCOUNTS_MAX">;
  pool: Pool;
  bus: Bus;
  announce: Announce;
};

/** The price whose slots are all taken, and the accounts on which they are. */
export type FullSlots = Pick<PaymentSession, "openedBy"> & {
  merchant: Merchant;
  amount: bigint;
  isCustomerAccount: boolean;
  accounts: string[];
};

/** Frees a slot, or adds an account with free ones. Returns whether a slot may be free now. */
export type FreeSlots = (full: FullSlots, context: RequestContext) => Promise<boolean>;

/**
 * Releases slots past their watch window, or else adds an account to the merchant's pool, or, on a customer's own
 * account, takes over the slot of a closed session.
 */
export function createFreeSlots(deps: Deps): FreeSlots {
  const { config, pool, announce } = deps;
  const addToPool = createPoolGrowth(deps);
  return async ({ merchant, amount, openedBy, isCustomerAccount, accounts }, context) => {
    const slot = { mode: merchant.mode, amountRequested: amount };
    if ((await releaseSlots(pool, { ...slot, accounts })) > 0) return true;
    if (!isCustomerAccount) {
      if (accounts.length >= poolMax(config, openedBy)) return false;
      await addToPool(merchant, accounts.length + 1, context);
      return true;
    }
    const [accountNumber = ""] = accounts;
    const closed = await takeOverSlot(pool, { ...slot, accountNumber, slotPauseS: config.SLOT_PAUSE_S });
    if (closed) announce([closed]);
    return closed !== undefined;
  };
}

/** The maximum size of the pool: public keys and links, which anyone can use, may add only a few accounts. */
const poolMax = (config: Deps["config"], openedBy: PaymentSession["openedBy"]): number =>
  openedBy === "secret_key" ? config.COLLECTION_ACCOUNTS_MAX : config.PUBLIC_COLLECTION_ACCOUNTS_MAX;

/** Adds the next account of a merchant's pool. Concurrent callers share one request. */
function createPoolGrowth(deps: Deps) {
  const inFlight = new Map<string, Promise<void>>();
  return (merchant: Merchant, position: number, context: RequestContext): Promise<void> => {
    const key = `${merchant.mode} ${merchant.id} ${position}`;
    const request =
      inFlight.get(key) ?? issueForPool(deps, merchant, position, context).finally(() => inFlight.delete(key));
    inFlight.set(key, request);
    return request;
  };
}

async function issueForPool(
  { pool, bus }: Deps,
  merchant: Merchant,
  position: number,
  context: RequestContext,
): Promise<void> {
  const issued = await bus.request(issueCollectionAccount, { merchant, position }, context);
  await addCollectionAccount(pool, merchant, {
    position,
    accountNumber: issued.account_number,
    accountName: issued.account_name,
    bankName: issued.bank_name,
  });
}
