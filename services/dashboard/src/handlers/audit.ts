import { Browse, browseOf, decodeCursor, Id, Instant, Mode, toPage } from "@collect/contracts";
import { z } from "zod";
import { listActs } from "../store/audit.ts";
import type { Call } from "./call.ts";

const Act = z.object({
  id: Id,
  at: Instant,
  who: z.object({ name: z.string(), email: z.string() }).nullable(),
  action: z.string(),
  detail: z.record(z.string(), z.unknown()),
  mode: Mode.nullable(),
  outcome: z.enum(["done", "refused", "unknown"]),
});
export const Acts = browseOf(Act);

const Place = [z.string().regex(/^\d{1,18}$/)];

/** What people did, newest first. */
export async function listAudit({ deps: { pool }, member: { merchant }, fields }: Call) {
  const { limit, after } = Browse.parse(fields);
  const [place] = decodeCursor(after, Place) ?? [];
  const rows = await listActs(pool, { merchantId: merchant.id, limit, after: place });
  return toPage(rows, {
    limit,
    place: ({ id }) => [id],
    show: ({ id, name, email, ...act }) => ({ ...act, id: String(id), who: name && email ? { name, email } : null }),
  });
}
