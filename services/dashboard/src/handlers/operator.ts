import { randomBytes, randomUUID } from "node:crypto";
import { answer, type Bus, type Request } from "@collect/bus";
import { addMember, createSignInLink, type MemberRole, Problem, readMerchants } from "@collect/contracts";
import { type Pool, type Transaction, transaction } from "@collect/database";
import type { Config } from "../config.ts";
import { keepsAnOwner, noOwnerLeft } from "../domain/role.ts";
import { newToken, sha256 } from "../domain/token.ts";
import { noteActOfUser } from "../store/audit.ts";
import { adoptBusiness } from "../store/businesses.ts";
import { findUserByEmail, insertLink } from "../store/sign-in-links.ts";
import { insertMember, lockTeam, updateRole } from "../store/team.ts";
import { noteJoined, noteTeamChange } from "../store/team-notices.ts";
import { lockUser } from "../store/users.ts";

/** The operator's requests about users. */
export function operatorRequests({ pool, bus, config }: { pool: Pool; bus: Bus; config: Config }): Request[] {
  return [
    answer(addMember, async ({ merchant_id, email, name, role }, context) => {
      const { merchants } = await bus.request(readMerchants, { merchant_ids: [merchant_id] }, context);
      const [merchant] = merchants;
      if (!merchant) throw new Problem("not_found", "There is no such merchant.");
      return transaction(pool, async (tx) => {
        await adoptBusiness(tx, { id: merchant_id, name: merchant.name });
        const user = await lockUser(tx, { id: randomUUID(), email, name });
        const team = { id: merchant_id, name: merchant.name };
        await joinTeam(tx, { merchant: team, user: { ...user, name, email }, role, requestId: context.requestId });
        return { user_id: user.id, created: user.created };
      });
    }),

    answer(createSignInLink, async ({ email, valid_minutes: validMinutes, clear: clears }, context) => {
      const userId = await findUserByEmail(pool, email);
      if (!userId) throw new Problem("not_found", "There is no user with this email.");
      const token = newToken(randomBytes(32));
      const expires_at = await transaction(pool, async (tx) => {
        const act = { action: "sign_in_link.made", detail: { email }, outcome: "done" as const };
        await noteActOfUser(tx, { ...act, ...context, userId });
        return insertLink(tx, { hash: sha256(token), userId, validMinutes, clears });
      });
      return { url: `${config.APP_URL}/sign-in/link/${token}`, expires_at };
    }),
  ];
}

type Joining = {
  merchant: { id: string; name: string };
  user: { id: string; name: string; email: string; proven: boolean };
  role: MemberRole;
  requestId: string;
};

async function joinTeam(tx: Transaction, { merchant, user, role, requestId }: Joining): Promise<void> {
  const { id: merchantId } = merchant;
  const { id: userId } = user;
  const team = await lockTeam(tx, merchantId);
  const present = team.find((member) => member.userId === userId);
  if (present?.role === role) return;
  if (!present) {
    // Anyone can sign up under any address: guessing which one the operator will add must not give access to a team.
    if (!user.proven)
      throw new Problem(
        "conflict",
        "This user has not confirmed the email address. Have an owner of the team invite them, or first create a sign-in link for the holder of the address; use one that clears if another person may have signed up under it.",
      );
    await insertMember(tx, { merchantId, userId, role });
    const who = `${user.name} (${user.email}), added by our support,`;
    return noteJoined(tx, { merchantId, role, who, client: null, requestId });
  }
  if (!keepsAnOwner(team, { userId, role })) throw noOwnerLeft();
  await updateRole(tx, merchantId, userId, role);
  const by = { userId: null, who: "Our support", client: null };
  await noteTeamChange(tx, { merchant, userId, from: present.role, role, by, requestId });
}
