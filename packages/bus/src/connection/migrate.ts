import type { Logger } from "@collect/runtime";
import { MIGRATE } from "../access/permissions.ts";
import type { Broker } from "./broker.ts";
import { connectBus } from "./connect.ts";
import { migrateStreams } from "./streams.ts";

/**
 * The bus's part of the migrate job: creates and updates streams and durables as the contracts declare them. Returns
 * the names of those it deleted because no contract declares them any more.
 */
export async function migrateBus(options: Broker & { log: Logger }): Promise<{ removed: string[] }> {
  const bus = await connectBus({ ...options, name: MIGRATE });
  try {
    return await migrateStreams(bus.manager);
  } finally {
    await bus.close();
  }
}
