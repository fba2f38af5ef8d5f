import { Problem } from "@collect/contracts";
import { type Pool, type Transaction, transaction } from "@collect/database";
import { createKeyedQueue } from "@collect/runtime";

/** The most transactions that wait for one chain of the audit log in this process, beside those that are not refusable. */
const WAITING_MAX = 100;
/** What has waited longer is refused at its turn: the caller no longer waits for it. */
const WAIT_MAX_MS = 5_000;

export type ChainQueue = <Result>(
  chain: string,
  work: (tx: Transaction) => Promise<Result>,
  options?: { isRefusable?: boolean },
) => Promise<Result>;

/**
 * Transactions that append to the audit log, those of one chain after another. They wait before they take a connection: otherwise
 * each would hold one while it waits for the chain's lock, and one merchant's calls would exhaust the pool for all others. What
 * is not refusable runs however many wait: outcomes of recorded acts, and operators, who may be about to stop the flood.
 */
export function createChainQueue(pool: Pool): ChainQueue {
  const enqueue = createKeyedQueue({ waitingMax: WAITING_MAX, refuse: busy });
  return (chain, work, { isRefusable = true } = {}) => {
    const since = performance.now();
    const append = async () => {
      if (isRefusable && performance.now() - since > WAIT_MAX_MS) throw busy();
      return transaction(pool, work);
    };
    return enqueue(chain, append, { isRefusable });
  };
}

const busy = () =>
  new Problem("service_unavailable", "Too many concurrent requests that are recorded. Try again shortly.", {
    retryAfterS: 1,
  });
