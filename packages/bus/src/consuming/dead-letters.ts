import type { FactEvent } from "@collect/contracts";
import { storeDeadLetter } from "@collect/database";
import { durableName, type Mode } from "../connection/streams.ts";
import type { ConsumerDeps } from "./consumer.ts";
import type { Item } from "./unpack.ts";

/** Stores facts that a consumer could not handle, once per natural key. */
export function createDeadLetters(deps: ConsumerDeps, { event, mode }: { event: FactEvent; mode: Mode }) {
  return async function deadLetter({ key, subject, raw }: Item, error: unknown): Promise<void> {
    deps.log.error({ subject: event.subject, mode, natural_key: key, err: error }, "dead letter");
    await storeDeadLetter(deps.pools[mode], {
      consumer: durableName(event, deps.service, mode),
      natural_key: key,
      subject,
      fact: raw,
      error: error instanceof Error ? error.message : String(error),
    });
  };
}
