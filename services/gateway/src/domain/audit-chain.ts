import { createHash } from "node:crypto";
import type { Actor, AuditedAct, ChainedEntry } from "@collect/contracts";

/** What is about to be appended: an act, or the outcome of one. */
export type NewEntry = AuditedAct & {
  actor: Actor | ActorColumns;
  requestId: string;
  clientRequestId?: string;
  outcome: ChainedEntry["outcome"];
  /** The natural key of an act that can arrive twice. */
  key?: string;
  /** The number of the act whose outcome this is. */
  about?: string;
  /** When it was done, if it is recorded later. */
  at?: string;
};

/** The end of a chain: where the next entry goes. */
export type Tail = { seq: bigint; hash: string };
export const NO_ENTRIES: Tail = { seq: 0n, hash: "0".repeat(64) };

/** The chain of a merchant; '' is the one for what concerns none. */
export const chainOf = ({ merchant_id }: Pick<AuditedAct, "merchant_id">): string => merchant_id ?? "";

/** The entries with their numbers and hashes, to follow the tail. */
export function chained(tail: Tail, entries: NewEntry[], now: string): ChainedEntry[] {
  let { seq, hash: previous } = tail;
  return entries.map((entry) => {
    seq++;
    const unhashed = { ...asRow(entry, now), seq: seq.toString(), previous };
    previous = hashOf(unhashed);
    return { ...unhashed, hash: previous };
  });
}

/**
 * SHA-256 over the previous hash and every other column, as a JSON array in this order: two different entries have different
 * texts, and whoever changes an entry changes every hash that follows.
 */
export function hashOf(entry: Omit<ChainedEntry, "hash">): string {
  const { previous, chain, seq, key, merchant_id, mode, actor_kind, actor_id, actor_label } = entry;
  const { action, detail, outcome, about, request_id, client_request_id, at } = entry;
  const who = [key, merchant_id, mode, actor_kind, actor_id, actor_label];
  const what = [action, detail, outcome, about, request_id, client_request_id, at];
  return createHash("sha256")
    .update(JSON.stringify([previous, chain, seq, ...who, ...what]))
    .digest("hex");
}

/** Why these entries do not follow the tail; undefined if they do. */
export function faultIn(tail: Tail, entries: ChainedEntry[]): string | undefined {
  let { seq, hash: previous } = tail;
  for (const entry of entries) {
    seq++;
    if (entry.seq !== seq.toString()) return `entry ${seq} is missing`;
    if (entry.previous !== previous) return `entry ${seq} does not follow entry ${seq - 1n}`;
    if (entry.hash !== hashOf(entry)) return `entry ${seq} was changed`;
    previous = entry.hash;
  }
  return undefined;
}

function asRow(entry: NewEntry, now: string): Omit<ChainedEntry, "seq" | "previous" | "hash"> {
  const { merchant_id, mode, action, detail, outcome, key, about, requestId, clientRequestId, at } = entry;
  return {
    chain: chainOf(entry),
    key: key ?? null,
    ...{ merchant_id, mode, action, outcome },
    ...actorColumns(entry.actor),
    detail: canonicalJson(detail),
    about: about ?? null,
    request_id: requestId,
    client_request_id: clientRequestId ?? null,
    at: at ?? now,
  };
}

/** The actor as it is stored. An outcome has the actor of its act, whichever service reports it. */
export type ActorColumns = Pick<ChainedEntry, "actor_kind" | "actor_id" | "actor_label">;

function actorColumns(actor: Actor | ActorColumns): ActorColumns {
  if ("actor_kind" in actor) return actor;
  const { kind: actor_kind } = actor;
  switch (actor.kind) {
    case "member":
      return { actor_kind, actor_id: actor.user_id, actor_label: actor.email };
    case "key":
      return { actor_kind, actor_id: null, actor_label: actor.name ? `${actor.key} (${actor.name})` : actor.key };
    case "operator":
      return { actor_kind, actor_id: actor.name, actor_label: actor.name };
    case "system":
      return { actor_kind, actor_id: null, actor_label: actor.service };
    case "anonymous":
      return { actor_kind, actor_id: null, actor_label: "" };
  }
}

/** JSON whose objects have their keys in order, so that equal details are equal texts. PostgreSQL does not store U+0000. */
function canonicalJson(detail: Record<string, unknown>): string {
  return JSON.stringify(detail, (_key, value) => {
    if (typeof value === "string") return value.replaceAll("\0", "\u{FFFD}").toWellFormed();
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
