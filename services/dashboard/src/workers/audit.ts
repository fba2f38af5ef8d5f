import type { Bus } from "@collect/bus";
import { Actor, importActs } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { type Component, interval, type Logger } from "@collect/runtime";
import { nextInOutbox, noteCopied, type OutboxRow } from "../store/audit.ts";

const EVERY_MS = 2_000;
const PAGE = 200;

/** Sends the outbox of the audit log to the gateway. Each row has a key, so that one that is sent twice is recorded once. */
export function copyAuditLog(
  pool: Pool,
  { bus, log, everyMs = EVERY_MS }: { bus: Bus; log: Logger; everyMs?: number },
): Component {
  return interval({ name: "audit outbox", everyMs, log }, async (signal) => {
    while (!signal.aborted) {
      const rows = await nextInOutbox(pool, PAGE);
      if (rows.length === 0) return;
      await bus.request(importActs, { acts: rows.map(toAct) });
      await noteCopied(pool, rows);
      if (rows.length < PAGE) return;
    }
  });
}

function toAct({ key, at, merchant_id, mode, action, detail, outcome, request_id, ...row }: OutboxRow) {
  return { key: `dashboard:${key}`, at, merchant_id, mode, action, detail, outcome, request_id, actor: actorOf(row) };
}

/** The previous release recorded a user, or nobody for an operator. */
function actorOf({ actor, user_id, email }: Pick<OutboxRow, "actor" | "user_id" | "email">): Actor {
  if (actor !== null) return Actor.parse(actor);
  if (user_id === null) return { kind: "system", service: "before operators had names" };
  return { kind: "member", user_id, email: email ?? "" };
}
