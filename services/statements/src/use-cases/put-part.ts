import { OPERATOR_PAGES } from "@collect/bus";
import { type Input, Problem, type putStatementPart, type RequestContext } from "@collect/contracts";
import { type Pool, transaction } from "@collect/database";
import { bytesWaiting, deleteParts, lockParts, putPart as put } from "../store/files.ts";

const MB = 1024n * 1024n;
/** What may wait to be imported: of one person some files of the largest size, of all persons some times that. */
const [OWN_MAX, ALL_MAX] = [64n * MB, 256n * MB];
/** More than can wait. */
const PARTS_MAX = 1_000;

type Part = Input<typeof putStatementPart>;

/** Stores a part of a file for an hour. One after the other, so that what waits is never more. */
export function putPart(pool: Pool, { hash, part, data }: Part, by: string): Promise<void> {
  return transaction(pool, async (tx) => {
    await lockParts(tx);
    await deleteParts(tx, { max: PARTS_MAX });
    const bytes = BigInt(Buffer.byteLength(data, "base64"));
    const waiting = await bytesWaiting(tx, { hash, part, by });
    if (waiting.own + bytes > OWN_MAX)
      throw new Problem("conflict", "Import your files that wait, or try again in an hour.", {
        errors: [{ param: "file", code: "too_many_parts", message: `You have ${waiting.own} bytes waiting.` }],
      });
    if (waiting.all + bytes > ALL_MAX)
      throw new Problem("service_unavailable", "Too many files wait to be imported. Try again in an hour.");
    await put(tx, { hash, part, data, by });
  });
}

/** The server of the operators' pages says who is signed in; any other connection is a person's own. */
export const uploaderOf = ({ uploader = "" }: Pick<Part, "uploader">, { operatorAccount }: RequestContext): string =>
  operatorAccount === undefined || operatorAccount === OPERATOR_PAGES ? uploader : operatorAccount;
