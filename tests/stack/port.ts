import { randomInt } from "node:crypto";
import { portIsFree } from "@collect/servers";

const assigned = new Set<number>();

/**
 * A free port that stays free while its process is down: it is below the ephemeral range that the system uses for
 * outgoing connections, so a restart can bind it again.
 */
export async function steadyPort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 32_000);
    if (assigned.has(port) || !(await portIsFree(port))) continue;
    assigned.add(port);
    return port;
  }
}
