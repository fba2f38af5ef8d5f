import { type Browse, decodeCursor, toPage } from "@collect/contracts";
import { z } from "zod";
import type { Call } from "../http/call.ts";
import { listActs } from "../store/audit.ts";

const Place = [z.string().regex(/^\d{1,18}$/)];

/** What people did, newest first. */
export async function listAudit({
  deps: { pool },
  member: { merchant },
  input: { limit, after },
}: Call<z.output<typeof Browse>>) {
  const [place] = decodeCursor(after, Place) ?? [];
  const rows = await listActs(pool, { merchantId: merchant.id, limit, after: place });
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
