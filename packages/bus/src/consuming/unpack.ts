import { createHash } from "node:crypto";
import type { FactEvent } from "@collect/contracts";
import type { JsMsg } from "@nats-io/jetstream";
import type { FactSeal } from "../access/fact-seal.ts";

/** `raw` is the JSON of the fact: it is compared with repeats, and stored if the fact fails. */
export type Item = { subject: string; key: string; fact: unknown; readonly raw: string };

/** A fact that is dead-lettered unhandled, and why. */
export type Refused = Item & { reason: "unreadable" | "forged" };

export const REFUSED: Record<Refused["reason"], string> = {
  unreadable: "the fact cannot be read",
  forged: "the fact does not prove its publisher: it has no valid MAC under FACT_KEY",
};

type Facts = { items: Item[]; refused: Refused[] };

/** A message with its facts. */
export type Unpacked = Facts & { message: JsMsg };

/** The facts of a message. The refused ones are dead-lettered once and acknowledged with the rest. */
export const unpack = (event: FactEvent, message: JsMsg, seal?: FactSeal): Unpacked => ({
  message,
  ...readFacts(event, { subject: message.subject, text: () => message.string(), json: () => message.json() }, seal),
});

type Source = { subject: string; text(): string; json(): unknown };

/**
 * Refuses those that cannot be read, or whose publisher is not proven. Their key is their content, so that they cannot
 * displace the dead letter of a true fact.
 */
export function readFacts(event: FactEvent, { subject, text, json }: Source, seal?: FactSeal): Facts {
  const read: Facts = { items: [], refused: [] };
  const refuse = (reason: Refused["reason"], raw: string) => {
    const digest = createHash("sha256").update(raw).digest("hex").slice(0, 32);
    read.refused.push({ subject, key: `${reason}:${digest}`, fact: undefined, raw, reason });
  };
  let facts: unknown;
  try {
    facts = json();
  } catch {
    facts = undefined;
  }
  if (!Array.isArray(facts)) {
    refuse("unreadable", text());
    return read;
  }
  for (const fact of facts) {
    const parsed = event.data.safeParse(fact);
    const raw = () => JSON.stringify(fact);
    if (!parsed.success) refuse("unreadable", raw());
    else if (event.sealed && !seal?.isValid(event, fact)) refuse("forged", raw());
    else {
      const key = String((parsed.data as Record<string, unknown>)[event.naturalKey]);
      read.items.push({
        subject,
        key,
        fact: parsed.data,
        get raw() {
          return raw();
        },
      });
    }
  }
  return read;
}

/** A duplicate within a batch is handled once; a duplicate with other content is handled in a separate round. */
export function distinct(items: Item[]): { unique: Item[]; conflicting: Item[] } {
  const byKey = new Map<string, Item>();
  const conflicting: Item[] = [];
  for (const item of items) {
    const earlier = byKey.get(item.key);
    if (!earlier) byKey.set(item.key, item);
    else if (earlier.raw !== item.raw) conflicting.push(item);
  }
  return { unique: [...byKey.values()], conflicting };
}
