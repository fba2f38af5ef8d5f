import { approveTransfer, approveTransferBatch, notFound } from "@collect/contracts";
import { rolesWith } from "../domain/role.ts";
import type { Call } from "../http/call.ts";
import { findRoleSince } from "../store/team.ts";

/** Approves as this person, and says since when they may: payments decides whether that is long enough. */
export async function approve(call: Call<{ reference: string }>) {
  return call.request(approveTransfer, await approvalBy(call));
}

export async function approveBatch(call: Call<{ reference: string; confirmed_at: string }>) {
  return call.request(approveTransferBatch, { ...(await approvalBy(call)), confirmed_at: call.input.confirmed_at });
}

async function approvalBy({ deps: { pool }, member, input: { reference } }: Call<{ reference: string }>) {
  const { merchant, user_id: userId } = member;
  const approving_since = await findRoleSince(pool, { merchantId: merchant.id, userId, roles: rolesWith("approvals") });
  if (!approving_since) throw notFound();
  return { merchant, reference, approving_since };
}
