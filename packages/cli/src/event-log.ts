import { type Client, CollectError, type Event } from "@collect/sdk";
import type { From } from "./options.ts";

/** The number of the last event: `next` passes over all events of other kinds, and few are tests of the webhook URL. */
export async function lastSequence(collect: Client): Promise<number> {
  for (let after_sequence = 0; ; ) {
    const { has_more, next } = await collect.listEvents({ after_sequence, type: "webhook.test", limit: 100 });
    if (!has_more) return next;
    after_sequence = next;
  }
}

/** The number before the first event to show. An age takes a search with one call for each halving of the log. */
export async function startOf(collect: Client, from: From): Promise<number> {
  if ("sequence" in from) return Math.max(from.sequence - 1, 0);
  const since = Date.now() - from.ageMs;
  let [before, last] = [0, await lastSequence(collect)];
  while (before < last) {
    const middle = Math.floor((before + last) / 2);
    const [event] = (await collect.listEvents({ after_sequence: middle, limit: 1 })).data;
    if (event && Date.parse(event.created_at) < since) before = middle + 1;
    else last = middle;
  }
  return before;
}

/** An event by its id, evt_…, or by its number. */
export async function eventOf(collect: Client, id: string): Promise<Event> {
  if (!/^\d{1,9}$/.test(id)) return collect.getEvent(id);
  const { data } = await collect.listEvents({ after_sequence: Math.max(Number(id) - 1, 0), limit: 1 });
  const event = data.find(({ sequence }) => sequence === Number(id));
  if (!event) throw new CollectError({ status: 404, code: "not_found", detail: `There is no event ${id}.` });
  return event;
}
