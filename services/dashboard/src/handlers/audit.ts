import { type Browse, decodeCursor, toPage } from "@collect/contracts";
import { z } from "zod";
import type { Call } from "../http/call.ts";
import { listActs } from "../store/audit.ts";

const Cursor = [z.string().regex(/^\d{1,18}$/)];

/** The audit log of the team and the operator, newest first. */
export async function listAudit({
  deps: { pool },
  member: { merchant },
  input: { limit, after },
}: Call<z.output<typeof Browse>>) {
  const [id] = decodeCursor(after, Cursor) ?? [];
  const rows = await listActs(pool, { merchantId: merchant.id, limit, after: id });
  return toPage(rows, {
    limit,
    cursor: ({ id }) => [id],
    toResponse: ({ id, name, email, ...act }) => ({
      ...act,
      id: String(id),
      who: name && email ? { name, email } : null,
    }),
  });
}
