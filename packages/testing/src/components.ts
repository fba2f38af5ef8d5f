import type { Component } from "@collect/runtime";

/**
 * Starts a service's components in this process, as its main does. Returns a function that stops them in reverse order.
 */
export async function startComponents(components: Component[]): Promise<() => Promise<void>> {
  for (const component of components) await component.start();
  return async () => {
    for (const component of [...components].reverse()) await component.stop();
  };
}
