import { eventsOfCollections, Problem, replayEvent } from "@collect/contracts";
import type { z } from "zod";
import type { Resend } from "../calls/answers.ts";
import type { Call } from "../http/call.ts";

/**
 * Resends the events of the selected collections, each as "Resend" on its own does: the same bytes and numbers, so a repeat is
 * harmless. What cannot be sent is named; if nothing can, because there is no URL, that is refused.
 */
export async function resendCollections({ request, member: { merchant }, input }: Call<z.output<typeof Resend>>) {
  const references = [...new Set(input.references)];
  const { events } = await request(eventsOfCollections, { merchant, references });
  const resent = new Set<string>();
  let refusal: Problem | undefined;
  for (const { reference, sequence } of events) {
    try {
      await request(replayEvent, { merchant, sequence: String(sequence) });
      resent.add(reference);
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      refusal = problem;
    }
  }
  if (refusal && resent.size === 0) throw refusal;
  return { resent: resent.size, failed: references.filter((reference) => !resent.has(reference)) };
}
