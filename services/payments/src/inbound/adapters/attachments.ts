import type { Bus } from "@collect/bus";
import { collectionAttached } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { attachedFactsOf } from "../store/collection-facts.ts";

/** Publishes attached collections as they are now, for the merchants' events. A repeat is the same. */
export async function publishAttached({ pool, bus }: { pool: Pool; bus: Bus }, intakeIds: string[]): Promise<void> {
  const facts = await attachedFactsOf(pool, intakeIds);
  if (facts.length > 0) await bus.publish(collectionAttached, facts);
}
