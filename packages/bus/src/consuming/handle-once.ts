import type { FactEvent } from "@collect/contracts";
import { failpoint, withBackOff } from "@collect/runtime";
import { BROKER_BACK_OFF_MS } from "../connection/available.ts";
import type { Bus } from "../connection/connect.ts";
import type { ConsumerDeps, ConsumerRun } from "./consumer.ts";
import type { Item } from "./unpack.ts";

/**
 * Runs the consumer's handler in one transaction, publishes its output, then runs its follow-up work. In this order: follow-up work
 * may send a merchant what no other service knows before the publish, and a restored database would decide it anew.
 */
export async function handleOnce(items: Item[], bus: Bus, deps: ConsumerDeps, options: ConsumerRun): Promise<void> {
  const { consumer, mode } = options;
  const outgoing: { event: FactEvent; facts: unknown[] }[] = [];
  const afterwards: (() => void)[] = [];
  await consumer.handle(
    deps.pools[mode],
    {
      publish: (event, facts) => void outgoing.push({ event, facts }),
      afterwards: (work) => void afterwards.push(work),
    },
    items.map(({ fact }) => fact),
  );
  failpoint("committed");
  await Promise.all(outgoing.map(({ event, facts }) => publishWithRetry(event, facts)));
  for (const work of afterwards) runFollowUp(work);

  /** If the broker refuses, this loop blocks and takes no more input. Only the publish is retried, not the work. */
  async function publishWithRetry(to: FactEvent, facts: unknown[]): Promise<void> {
    const published = await withBackOff(() => bus.publish(to, facts as never[]).then(() => true), {
      signal: options.signal,
      longestMs: BROKER_BACK_OFF_MS,
      onFailure: (error, waitMs) => {
        options.stepped();
        deps.log.warn({ subject: to.subject, mode, err: error, waitMs }, "cannot publish yet");
      },
    });
    if (!published) throw new Error("stopped before the broker accepted the batch's output");
  }

  /** The batch itself is complete: a failure here must neither repeat it nor dead-letter it. */
  function runFollowUp(work: () => void): void {
    try {
      work();
    } catch (error) {
      deps.log.error({ subject: consumer.event.subject, mode, err: error }, "the follow-up work of a batch failed");
    }
  }
}
