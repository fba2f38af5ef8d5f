import { browseSettlementLines, readCollections } from "@collect/contracts";
import type { z } from "zod";
import type { READS } from "../calls/merchant.ts";
import { unlessRefused } from "../domain/unless-refused.ts";
import type { Call } from "../http/call.ts";

type Input = z.output<(typeof READS)["settlements/:reference/lines"]["input"]>;

/** The lines of a settlement, each with its collection; the collections of a page are read with one request. */
export async function listSettlementLines({ request, member: { merchant }, input }: Call<Input>) {
  const page = await request(browseSettlementLines, { merchant, ...input, limit: String(input.limit) });
  // What Settled covered is of no collection, even if its key is that of one.
  const intake_ids = page.data.flatMap(({ kind, key }) => (kind === "cover" ? [] : [key]));
  const read = await unlessRefused(request(readCollections, { merchant, intake_ids }));
  const byIntake = new Map(read?.collections.map(({ intake_id, ...collection }) => [intake_id, collection]));
  const data = page.data.map((line) => {
    const collection = line.kind === "cover" ? null : (byIntake.get(line.key) ?? null);
    return { ...line, collection };
  });
  return { ...page, data };
}
