import type { TcpProxy } from "../tcp-proxy.ts";
import type { Injection, World } from "../world.ts";

type Server = keyof World["proxies"];

export const silent =
  (server: Server): Injection =>
  async (world, { target, variant }) => {
    const resume = proxyOf(world, server, target).silence(variant);
    return async () => resume();
  };

export const halfOpen =
  (server: Server): Injection =>
  async (world, { target, variant }) => {
    proxyOf(world, server, target).leaveHalfOpen(variant);
    return async () => {};
  };

function proxyOf({ proxies }: World, server: Server, target: string): TcpProxy {
  const proxy = proxies[server].get(target);
  if (!proxy) throw new Error(`${target} has no proxy`);
  return proxy;
}
