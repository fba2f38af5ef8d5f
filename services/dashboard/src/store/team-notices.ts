import type { MemberRole } from "@collect/contracts";
import type { Transaction } from "@collect/database";
import type { Client } from "../domain/client.ts";
import { addNotice } from "./notices.ts";
import { findUser } from "./users.ts";

/** What a team is notified of, in the transaction that changes it. */

type Change = {
  merchant: { id: string; name: string };
  /** Whose role it is. */
  userId: string;
  from: MemberRole;
  /** Null for a member who has left. */
  role: MemberRole | null;
  /** The operator has no user. */
  by: { userId: string | null; who: string; client: Client | null };
  requestId: string;
};

/** Notifies the owners and, unless they did it themselves, the member. */
export async function noteTeamChange(tx: Transaction, change: Change): Promise<void> {
  const { merchant, userId, from, role, by, requestId } = change;
  if (from === role) return;
  const user = await findUser(tx, userId);
  const act = { ...by.client, who: by.who };
  const key = `team:${requestId}`;
  const detail = {
    ...act,
    member: `${user?.name} (${user?.email})`,
    from,
    ...(role && { role }),
    ...(by.userId === userId && { left: true }),
  };
  const kind = role ? "member_role_changed" : "member_removed";
  await addNotice(tx, { key, kind, merchantId: merchant.id, roles: ["owner"], detail });
  if (by.userId === userId) return;
  const about = { ...act, merchant_id: merchant.id, business: merchant.name, ...(role && { role }) };
  const yours = role ? "your_role_changed" : "removed_from_team";
  await addNotice(tx, { key: `${key}:${userId}`, kind: yours, userId, detail: about });
}

type Joined = { merchantId: string; role: MemberRole; who: string; client: Client | null; requestId: string };

/** Notifies the owners of a new member. */
export async function noteJoined(tx: Transaction, joined: Joined): Promise<void> {
  const { merchantId, role, who, client, requestId } = joined;
  const detail = { ...client, who, role };
  await addNotice(tx, { key: `joined:${requestId}`, kind: "member_joined", merchantId, roles: ["owner"], detail });
}
