import { deadLetterRequests, type ServiceName } from "@collect/contracts";
import { forgetDeadLetters, listDeadLetters, type Pool, takeDeadLetters, transaction } from "@collect/database";
import type { Bus } from "./connect.ts";
import { answer, type Request } from "./requests.ts";

/** The two requests by which an operator sees and retries what a service could not handle. */
export function answerDeadLetters(service: ServiceName, { pool, bus }: { pool: Pool; bus: Bus }): Request[] {
  const contracts = deadLetterRequests[service];
  if (!contracts) return [];
  return [
    answer(contracts.list, async () => ({ dead_letters: await listDeadLetters(pool) })),
    answer(contracts.retry, async ({ natural_key }) => {
      const letters = await transaction(pool, (tx) => takeDeadLetters(tx, natural_key ?? null));
      // Published before it is forgotten: dying in between only means that it comes twice.
      for (const { subject, fact } of letters)
        await bus.jetstream.publish(subject, fact.startsWith("[") ? fact : `[${fact}]`);
      await transaction(pool, (tx) => forgetDeadLetters(tx, letters));
      return { retried: letters.length };
    }),
  ];
}
