import { createHash } from "node:crypto";
import type { FactEvent } from "@collect/contracts";
import type { JsMsg } from "@nats-io/jetstream";

/** `raw` is the JSON of the fact: to be told apart from its repeat, and kept if it fails. */
export type Item = { message: JsMsg; key: string; fact: unknown; readonly raw: string };

/** A message with its facts. */
export type Unpacked = { message: JsMsg; items: Item[]; unreadable: Item[] };

/** The facts of a message. What cannot be read goes to the dead letters, once, and is acknowledged with the rest. */
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

/** A fact that came twice in one batch is handled once; one that came twice with other content gets a round of its own. */
export function distinct(items: Item[]): { first: Item[]; again: Item[] } {
  const byKey = new Map<string, Item>();
  const again: Item[] = [];
  for (const item of items) {
    const known = byKey.get(item.key);
    if (!known) byKey.set(item.key, item);
    else if (known.raw !== item.raw) again.push(item);
  }
  return { first: [...byKey.values()], again };
}
