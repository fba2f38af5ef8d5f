import type { FactEvent } from "@collect/contracts";
import { failpoint, withBackOff } from "@collect/runtime";
import type { Bus } from "../connection/connect.ts";
import type { ConsumerDeps, ConsumerRun } from "./consumer.ts";
import type { Item } from "./unpack.ts";

/** One transaction of the consumer's handler, then what it publishes, then what follows from that. */
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
  await Promise.all(outgoing.map(({ event, facts }) => publishAtLast(event, facts)));
  for (const work of afterwards) runAfterwards(work);

  /** A broker that does not take it stops this loop, which takes no more input: the work is not done again for that. */
  async function publishAtLast(to: FactEvent, facts: unknown[]): Promise<void> {
    const published = await withBackOff(() => bus.publish(to, facts as never[]).then(() => true), {
      signal: options.signal,
      onFailure: (error, waitMs) => {
        options.stepped();
        deps.log.warn({ subject: to.subject, mode, err: error, waitMs }, "cannot publish yet");
      },
    });
    if (!published) throw new Error("stopped before the broker took what the batch publishes");
  }

  /** What the batch is for is done: nothing of it may be done again, or be a dead letter, because this fails. */
  function runAfterwards(work: () => void): void {
    try {
      work();
    } catch (error) {
      deps.log.error({ subject: consumer.event.subject, mode, err: error }, "what follows a batch failed");
    }
  }
}
