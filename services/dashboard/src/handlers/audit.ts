import { type Browse, browseAuditLog } from "@collect/contracts";
import type { z } from "zod";
import type { Call } from "../http/call.ts";
import { listMembers } from "../store/team.ts";

/** What the team, its keys and the operators did about this business, newest first, as the gateway keeps it. */
export async function listAudit({
  deps: { pool },
  member: { merchant },
  input,
  request,
}: Call<z.output<typeof Browse>>) {
  const { id, mode } = merchant;
  const [log, members] = await Promise.all([
    request(browseAuditLog, { merchant: { id, mode }, ...input }),
    listMembers(pool, id),
  ]);
  const names = new Map(members.map(({ user_id, name }) => [user_id, name]));
  const data = log.data.map(({ actor: { kind, id, label }, merchant_id: _, ...act }) => {
    const isMember = kind === "member";
    return { ...act, who: { kind, name: (id && names.get(id)) || label, email: isMember ? label : null } };
  });
  return { data, next: log.next };
}
