import { eventsOfCollections, Problem, replayEvent } from "@collect/contracts";
import type { z } from "zod";
import type { Resend, Resent } from "../calls/answers.ts";
import type { Call } from "../http/call.ts";

const NOT_RECORDED = "Its event isn't recorded yet. Try again in a moment.";

/**
 * Resends the events of the selected collections, each as "Resend" on its own does: the same bytes and numbers, so a repeat is
 * harmless. Each is answered for; if nothing can be sent, because there is no URL, that is refused.
 */
export async function resendCollections({ request, member: { merchant }, input }: Call<z.output<typeof Resend>>) {
  const references = [...new Set(input.references)];
  const { events } = await request(eventsOfCollections, { merchant, references });
  const refusals = new Map<string, Problem>();
  for (const { reference, sequence } of events) {
    try {
      await request(replayEvent, { merchant, sequence: String(sequence) });
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      refusals.set(reference, problem);
    }
  }
  const [refusal] = refusals.values();
  if (refusal && refusals.size === events.length) throw refusal;
  const recorded = new Set(events.map(({ reference }) => reference));
  const lines = references.map((reference): z.output<typeof Resent>["lines"][number] => {
    if (!recorded.has(reference)) return { reference, outcome: "refused", detail: NOT_RECORDED };
    const refused = refusals.get(reference);
    return refused
      ? { reference, outcome: "refused", detail: refused.detail }
      : { reference, outcome: "done", detail: null };
  });
  return { lines };
}
