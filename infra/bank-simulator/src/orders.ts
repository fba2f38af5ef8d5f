import { randomInt } from "node:crypto";
import { z } from "zod";

/** How transfers are reported, one after the other, each after the previous response. `late`: the first is sent last. */
export const Order = z.enum(["given", "late", "shuffled"]).default("given");

export function arrange<Item>(items: Item[], order: z.output<typeof Order>): Item[] {
  if (order === "late") return [...items.slice(1), ...items.slice(0, 1)];
  if (order === "shuffled") return shuffled(items);
  return items;
}

/** Inserts each item at a random position among the previous ones, so all orders are equally likely. */
function shuffled<Item>(items: Item[]): Item[] {
  const result: Item[] = [];
  for (const item of items) {
    const position = randomInt(result.length + 1);
    result.splice(position, 0, item);
  }
  return result;
}
