import { deadLetterRequests, invalidFields, Problem } from "@collect/contracts";
import {
  deleteDeadLetters,
  discardDeadLetters,
  listDeadLetters,
  takeDeadLetters,
  transaction,
} from "@collect/database";
import type { Bus } from "../connection/connect.ts";
import { answer, type Request } from "../requests.ts";
import type { Consumer, ConsumerDeps } from "./consumer.ts";
import { createRetry } from "./retry.ts";
import { REFUSED } from "./unpack.ts";

/** The beginnings of the keys of what is no fact of ours. Only that can be discarded: a fact's money would be. */
const REFUSALS = Object.keys(REFUSED).map((reason) => `${reason}:`);

/** The requests that list, retry and discard a service's dead letters. */
export function answerDeadLetters(bus: Bus, deps: ConsumerDeps & { consumers: Consumer[] }): Request[] {
  const contracts = deadLetterRequests[deps.service];
  if (!contracts) return [];
  const pool = deps.pools.live;
  const retry = createRetry(bus, deps);
  return [
    answer(contracts.list, async () => ({ dead_letters: await listDeadLetters(pool) })),
    answer(contracts.retry, async ({ natural_key }) => {
      const signal = AbortSignal.timeout(contracts.retry.deadlineMs);
      const letters = await transaction(pool, (tx) => takeDeadLetters(tx, natural_key ?? null));
      let retried = 0;
      for (const letter of letters) {
        if (!(await retry(letter, signal))) continue;
        // Handled before it is deleted: a crash in between only means that it is handled twice. One that failed again is kept.
        await transaction(pool, (tx) => deleteDeadLetters(tx, [letter]));
        retried++;
      }
      return { retried };
    }),
    answer(contracts.discard, async (selection) => {
      const { found, discarded } = await discardDeadLetters(pool, selected(selection));
      if (selection.prefix !== undefined && discarded !== found) throw miscounted(found);
      return { discarded };
    }),
  ];
}

type Selection = { natural_key?: string | undefined; prefix?: string | undefined; count?: number | undefined };

/** Without a count nothing that begins so is deleted: the refusal says how many there are. */
function selected({ natural_key, prefix, count }: Selection) {
  if ((natural_key === undefined) === (prefix === undefined))
    throw invalidFields([{ param: "natural_key", code: "invalid", message: "give either a key or a prefix" }]);
  const expected = prefix === undefined ? null : (count ?? 0);
  return { naturalKey: natural_key ?? null, prefix: prefix ?? null, count: expected, refusals: REFUSALS };
}

const miscounted = (found: number) =>
  new Problem(
    "conflict",
    `${found} dead letters that are no facts begin with this. To delete them, repeat it with --count ${found}.`,
  );
