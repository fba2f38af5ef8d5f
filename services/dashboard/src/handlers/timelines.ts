import {
  type Actor,
  findEvents,
  getCollection,
  getInboundTransfer,
  getTransaction,
  showTransfer,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { unlessRefused } from "../domain/unless-refused.ts";
import type { Call } from "../http/call.ts";
import { listMembers } from "../store/team.ts";

/** A collection with its inbound transfer, its ledger transaction and its events, and the name of the member who attached it. */
export async function readCollectionTimeline({ deps, request, member, input }: Call<{ reference: string }>) {
  const { merchant } = member;
  const found = await request(getCollection, { merchant, reference: input.reference });
  const [attached_by, received, ledger, recorded] = await Promise.all([
    nameOf(deps.pool, merchant.id, found.attached_by),
    unlessRefused(request(getInboundTransfer, { merchant, intake_id: found.intake_id })),
    unlessRefused(request(getTransaction, { merchant, key: found.intake_id })),
    unlessRefused(request(findEvents, { merchant, reference: input.reference })),
  ]);
  return { ...found, attached_by, received, ledger, events: recorded?.events ?? null };
}

/** Members alone have a name here, while they are in the team. */
async function nameOf(pool: Pool, merchantId: string, actor: Actor | null | undefined): Promise<string | null> {
  if (actor?.kind !== "member") return null;
  const members = await listMembers(pool, merchantId);
  return members.find(({ user_id }) => user_id === actor.user_id)?.name ?? null;
}

export async function readTransferTimeline({ request, member: { merchant }, input }: Call<{ reference: string }>) {
  const found = await request(showTransfer, { merchant, reference: input.reference });
  const recorded = await unlessRefused(request(findEvents, { merchant, reference: found.transfer.reference }));
  return { ...found, events: recorded?.events ?? null };
}
