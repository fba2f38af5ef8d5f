import { findEvents, getCollection, getInboundTransfer, getTransaction, showTransfer } from "@collect/contracts";
import { unlessRefused } from "../domain/unless-refused.ts";
import type { Call } from "../http/call.ts";

/** A collection with its inbound transfer, its ledger transaction and its events. */
export async function readCollectionTimeline({ request, member: { merchant }, input }: Call<{ reference: string }>) {
  const found = await request(getCollection, { merchant, reference: input.reference });
  const [received, ledger, recorded] = await Promise.all([
    unlessRefused(request(getInboundTransfer, { merchant, intake_id: found.intake_id })),
    unlessRefused(request(getTransaction, { merchant, key: found.intake_id })),
    unlessRefused(request(findEvents, { merchant, reference: input.reference })),
  ]);
  return { ...found, received, ledger, events: recorded?.events ?? null };
}

export async function readTransferTimeline({ request, member: { merchant }, input }: Call<{ reference: string }>) {
  const found = await request(showTransfer, { merchant, reference: input.reference });
  const recorded = await unlessRefused(request(findEvents, { merchant, reference: found.transfer.reference }));
  return { ...found, events: recorded?.events ?? null };
}
