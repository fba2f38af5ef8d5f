import { createHash } from "node:crypto";
import type { FactEvent } from "@collect/contracts";
import type { JsMsg } from "@nats-io/jetstream";

/** `raw` is the JSON of the fact: it is compared with repeats, and stored if the fact fails. */
export type Item = { message: JsMsg; key: string; fact: unknown; readonly raw: string };

/** A message with its facts. */
export type Unpacked = { message: JsMsg; items: Item[]; unreadable: Item[] };

/** The facts of a message. Unreadable ones are dead-lettered once and acknowledged with the rest. */
export function unpack(event: FactEvent, message: JsMsg): Unpacked {
  const unpacked: Unpacked = { message, items: [], unreadable: [] };
  const unreadable = (raw: string) => {
    const digest = createHash("sha256").update(raw).digest("hex").slice(0, 32);
    unpacked.unreadable.push({ message, key: `unreadable:${digest}`, fact: undefined, raw });
  };
  let facts: unknown;
  try {
    facts = message.json();
  } catch {
    facts = undefined;
  }
  if (!Array.isArray(facts)) {
    unreadable(message.string());
    return unpacked;
  }
  for (const fact of facts) {
    const parsed = event.data.safeParse(fact);
    const raw = () => JSON.stringify(fact);
    if (parsed.success) {
      const key = String((parsed.data as Record<string, unknown>)[event.naturalKey]);
      unpacked.items.push({
        message,
        key,
        fact: parsed.data,
        get raw() {
          return raw();
        },
      });
    } else unreadable(raw());
  }
  return unpacked;
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
