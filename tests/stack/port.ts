import { randomInt } from "node:crypto";
import { portIsFree } from "@collect/servers";

const given = new Set<number>();

/**
 * A free port that stays free while its process is down: it lies below the range from which the system takes
 * the ports of outgoing connections, so a restart finds it again.
 */
export async function steadyPort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 32_000);
    if (given.has(port) || !(await portIsFree(port))) continue;
    given.add(port);
    return port;
  }
}
