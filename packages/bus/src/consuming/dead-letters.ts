import { deadLetterRequests, type FactEvent, type ServiceName } from "@collect/contracts";
import {
  deleteDeadLetters,
  listDeadLetters,
  type Pool,
  storeDeadLetter,
  takeDeadLetters,
  transaction,
} from "@collect/database";
import type { Bus } from "../connection/connect.ts";
import { durableName, type Mode } from "../connection/streams.ts";
import { answer, type Request } from "../requests.ts";
import type { ConsumerDeps } from "./consumer.ts";
import type { Item } from "./unpack.ts";

/** Stores facts that a consumer could not handle, once per natural key. */
export function createDeadLetters(deps: ConsumerDeps, { event, mode }: { event: FactEvent; mode: Mode }) {
  return async function deadLetter({ key, message, raw }: Item, error: unknown): Promise<void> {
    deps.log.error({ subject: event.subject, mode, natural_key: key, err: error }, "dead letter");
    await storeDeadLetter(deps.pools[mode], {
      consumer: durableName(event, deps.service, mode),
      natural_key: key,
      subject: message.subject,
      fact: raw,
      error: error instanceof Error ? error.message : String(error),
    });
  };
}

/** The two requests that list and retry a service's dead letters. */
export function answerDeadLetters(service: ServiceName, { pool, bus }: { pool: Pool; bus: Bus }): Request[] {
  const contracts = deadLetterRequests[service];
  if (!contracts) return [];
  return [
    answer(contracts.list, async () => ({ dead_letters: await listDeadLetters(pool) })),
    answer(contracts.retry, async ({ natural_key }) => {
      const letters = await transaction(pool, (tx) => takeDeadLetters(tx, natural_key ?? null));
      // Published before it is deleted: a crash in between only means that it is delivered twice.
      for (const { subject, fact } of letters)
        await bus.jetstream.publish(subject, fact.startsWith("[") ? fact : `[${fact}]`);
      await transaction(pool, (tx) => deleteDeadLetters(tx, letters));
      return { retried: letters.length };
    }),
  ];
}
