import type { Pool } from "@collect/database";
import { faultIn, NO_ENTRIES, type Tail } from "../domain/audit-chain.ts";
import { chainAfter } from "../store/audit-log.ts";

const PAGE = 1_000;

/** Computes every hash of a chain again, page by page. The head is to be kept elsewhere: it proves that the end is still there. */
export async function verifyChain(pool: Pool, chain: string, anchor?: string) {
  let isAnchored = anchor === undefined;
  let tail: Tail = NO_ENTRIES;
  for (;;) {
    const entries = await chainAfter(pool, { chain, seq: tail.seq.toString(), rows: PAGE });
    const fault = faultIn(tail, entries);
    const last = entries.at(-1);
    isAnchored ||= entries.some(({ seq, hash }) => `${seq}:${hash}` === anchor);
    if (last) tail = { seq: BigInt(last.seq), hash: last.hash };
    if (!fault && entries.length === PAGE) continue;
    const cutOff = isAnchored ? null : `${anchor} is not in it any more`;
    return { chain, entries: Number(tail.seq), head: `${tail.seq}:${tail.hash}`, fault: fault ?? cutOff };
  }
}
