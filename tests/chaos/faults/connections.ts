import type { Wire } from "../wire.ts";
import type { World } from "../world.ts";
import type { Injection } from "./index.ts";

type Server = keyof World["wires"];

export const silent =
  (server: Server): Injection =>
  async (world, { target, how }) => {
    const speakAgain = wireOf(world, server, target).silence(how);
    return async () => speakAgain();
  };

export const halfOpen =
  (server: Server): Injection =>
  async (world, { target, how }) => {
    wireOf(world, server, target).leaveHalfOpen(how);
    return async () => {};
  };

function wireOf({ wires }: World, server: Server, target: string): Wire {
  const wire = wires[server].get(target);
  if (!wire) throw new Error(`${target} has no wire`);
  return wire;
}
