import { findEvents, getApiCall } from "@collect/contracts";
import { recordOf } from "../domain/traced-record.ts";
import { unlessRefused } from "../domain/unless-refused.ts";
import type { Call } from "../http/call.ts";

/** An API request, the record that it is about, and the events about that with their deliveries and attempts. */
export async function readRequestTrace({ request, member: { merchant }, input }: Call<{ id: string }>) {
  const call = await request(getApiCall, { merchant, id: input.id });
  const record = recordOf(call);
  const recorded = record && (await unlessRefused(request(findEvents, { merchant, reference: record.reference })));
  return { call, record, events: recorded?.events ?? null };
}
