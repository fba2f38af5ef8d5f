import { expect, test } from "vitest";
import { createLocalNotifications } from "../src/local/notifications.ts";
import { createNotifications } from "../src/monnify/notifications.ts";
import type { Notifications } from "../src/port.ts";
import { createProvidusNotifications } from "../src/providus/notifications.ts";
import { casesOf } from "./corpus.ts";
import { notifications as ofProvidus } from "./providus/corpus.ts";

/** The bodies that each partner reports in its corpus, with the adapter that says what kinds of them there are. */
const REPORTED: [name: string, adapter: Notifications, bodies: string[]][] = [
  [
    "local",
    createLocalNotifications(["secret"]),
    casesOf<{ body: string }>("local", "reports").map(([, { body }]) => body),
  ],
  [
    "monnify",
    createNotifications({ secretKey: "secret" }),
    casesOf<{ notification: object }>("monnify", "events").map(([, { notification }]) => JSON.stringify(notification)),
  ],
  [
    "providus",
    createProvidusNotifications({ clientId: "collect", clientSecret: "secret" }, async () => undefined),
    ofProvidus.map(({ notification }) => notification.body),
  ],
];

test.each(REPORTED)("%s reports all that its adapter says, and nothing else", (_name, adapter, bodies) => {
  const kinds = new Set(bodies.flatMap((body) => kindOf(adapter, body)));
  expect([...kinds].sort()).toEqual([...adapter.reports].sort());
});

/** None of a body that is refused, of no money of ours, or kept for an operator. */
function kindOf(adapter: Notifications, body: string): string[] {
  const parsed = read(adapter, body);
  if (!parsed) return [];
  if ("settled" in parsed) return ["settlement"];
  if ("payoutId" in parsed) return ["payout"];
  return ["credit", "reversal"].filter((kind) => kind === parsed.type);
}

function read(adapter: Notifications, body: string) {
  try {
    return adapter.parse(Buffer.from(body));
  } catch {
    return undefined;
  }
}
