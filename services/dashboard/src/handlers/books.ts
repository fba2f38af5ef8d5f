import { browseJournal, browseStatement, readCollections } from "@collect/contracts";
import type { z } from "zod";
import type { READS } from "../calls/merchant.ts";
import { accountOf, descriptionOf, hasReference, isCollection } from "../domain/books.ts";
import { inLagos } from "../domain/lagos.ts";
import type { Call } from "../http/call.ts";

type Input<Path extends "journal" | "statement"> = z.output<(typeof READS)[Path]["input"]>;

export async function listJournal(call: Call<Input<"journal">>) {
  const { request, member, input } = call;
  const page = await request(browseJournal, { merchant: member.merchant, ...input, limit: String(input.limit) });
  const inWords = await wordsOf(call, page.data);
  const data = page.data.map((entry) => {
    const { account, debit, credit, balance, transaction_id, kind } = entry;
    return { ...inWords(entry), account: accountOf(account, kind), debit, credit, balance, transaction_id };
  });
  return { ...page, data };
}

export async function listStatement(call: Call<Input<"statement">>) {
  const { request, member, input } = call;
  const page = await request(browseStatement, { merchant: member.merchant, ...input, limit: String(input.limit) });
  const inWords = await wordsOf(call, page.data);
  const data = page.data.map((line) => {
    const { kind: _kind, key: _key, ...amounts } = line;
    return { ...amounts, ...inWords(line) };
  });
  return { ...page, data };
}

type Line = { recorded_at: string; kind: string; key: string };

/**
 * A line in words, with the reference of its collection; those of a page are read with one request. Books without them
 * would look complete, so the page fails if payments does not answer; a collection that it has not recorded yet has none.
 */
async function wordsOf({ request, member: { merchant } }: Call<unknown>, lines: Line[]) {
  const intake_ids = [...new Set(lines.flatMap(({ kind, key }) => (isCollection(kind) ? [key] : [])))];
  const { collections } =
    intake_ids.length > 0 ? await request(readCollections, { merchant, intake_ids }) : { collections: [] };
  const references = new Map(collections.map(({ intake_id, reference }) => [intake_id, reference]));
  return ({ recorded_at, kind, key }: Line) => ({
    recorded_at: inLagos(recorded_at),
    reference: isCollection(kind) ? (references.get(key) ?? null) : hasReference(kind) ? key : null,
    description: descriptionOf(kind),
  });
}
