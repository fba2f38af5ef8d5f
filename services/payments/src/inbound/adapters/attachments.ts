import type { Bus } from "@collect/bus";
import { collectionAttached, sessionChanged } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { snapshotOf } from "../domain/session-view.ts";
import { attachedFactsOf } from "../store/collection-facts.ts";
import { readSessionsOf } from "../store/sessions.ts";

/**
 * Publishes attached collections as they are now, for the merchants' events, and before them their sessions: the copy of an expired one
 * counts as final, so that nobody reads it again. A repeat is the same.
 */
export async function publishAttached({ pool, bus }: { pool: Pool; bus: Bus }, intakeIds: string[]): Promise<void> {
  const facts = await attachedFactsOf(pool, intakeIds);
  const references = facts.flatMap(({ paymentReference }) => paymentReference ?? []);
  const sessions = references.length > 0 ? await readSessionsOf(pool, references) : [];
  if (sessions.length > 0) await bus.publish(sessionChanged, sessions.map(snapshotOf));
  if (facts.length > 0) await bus.publish(collectionAttached, facts);
}
