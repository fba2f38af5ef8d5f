import type { Bus } from "@collect/bus";
import {
  type Actor,
  ANNOUNCEMENTS_A_PAGE,
  acknowledgeEndpointChanges,
  acknowledgeNewPayees,
  listEndpointChanges,
  listNewPayees,
  type WireResult,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { type Component, interval, type Logger } from "@collect/runtime";
import { addTeamNotices, type TeamNotice } from "../store/notices.ts";

const EVERY_MS = 20_000;

type Deps = { pool: Pool; bus: Bus; log: Logger; everyMs?: number };
type Announced = { keys: string[]; notices: TeamNotice[] };

/**
 * Notes what payments and webhooks announce. They list it until it is acknowledged, which is after the commit here; what is listed
 * again has the same key, and is mailed once. Each is asked by itself, so that one that is down delays no mail about the other.
 */
export function noteAnnouncements(deps: Deps): Component[] {
  const { bus } = deps;
  return [
    following("new payees", deps, {
      list: async () => announcedBy((await bus.request(listNewPayees, {})).announcements, aboutPayees),
      acknowledge: (keys) => bus.request(acknowledgeNewPayees, { keys }),
    }),
    following("endpoint changes", deps, {
      list: async () => announcedBy((await bus.request(listEndpointChanges, {})).announcements, aboutEndpoint),
      acknowledge: (keys) => bus.request(acknowledgeEndpointChanges, { keys }),
    }),
  ];
}

function announcedBy<One extends { key: string }>(listed: One[], toNotice: (one: One) => TeamNotice): Announced {
  return { keys: listed.map(({ key }) => key), notices: listed.map(toNotice) };
}

function following(
  name: string,
  { pool, log, everyMs = EVERY_MS }: Deps,
  { list, acknowledge }: { list(): Promise<Announced>; acknowledge(keys: string[]): Promise<unknown> },
): Component {
  return interval({ name, everyMs, log }, async (signal, stepped) => {
    while (!signal.aborted) {
      const { keys, notices } = await list();
      if (keys.length === 0) return;
      await addTeamNotices(pool, notices);
      await acknowledge(keys);
      if (keys.length < ANNOUNCEMENTS_A_PAGE) return;
      stepped();
    }
  });
}

type NewPayees = WireResult<typeof listNewPayees>["announcements"][number];
type EndpointChange = WireResult<typeof listEndpointChanges>["announcements"][number];

const aboutPayees = ({ key, merchant_id, at, count, payees }: NewPayees): TeamNotice => ({
  key: `payees:${key}`,
  kind: "new_payees",
  merchant_id,
  roles: ["owner", "finance"],
  detail: { at, count, payees: payees.map(toPayee) },
});

const aboutEndpoint = ({ key, merchant_id, state, at, host, failure, waiting }: EndpointChange): TeamNotice => ({
  key: `endpoint:${key}`,
  kind: state === "failing" ? "webhook_failing" : "webhook_recovered",
  merchant_id,
  roles: ["owner", "developer"],
  detail: { at, host, waiting, ...(failure !== null && { failure }) },
});

/** Of the account number only what recognizes it. */
function toPayee({
  amount,
  reference,
  ordered_at,
  bank_name,
  account_number,
  account_name,
  ordered_by,
}: NewPayees["payees"][number]) {
  const account = account_number.slice(-4);
  return {
    amount,
    reference,
    at: ordered_at,
    bank: bank_name,
    account,
    name: account_name,
    ordered_by: actorWords(ordered_by),
  };
}

function actorWords(actor: Actor | null): string {
  switch (actor?.kind) {
    case "member":
      return actor.email;
    case "key":
      return `the key ${actor.key}${actor.name ? ` (${actor.name})` : ""}`;
    case "operator":
      return "our support";
    default:
      return "an unknown caller";
  }
}
