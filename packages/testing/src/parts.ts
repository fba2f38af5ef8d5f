import type { Component } from "@collect/runtime";

/** Starts the parts of a service in this process, as its main does, and gives what stops them in the opposite order. */
export async function startParts(parts: Component[]): Promise<() => Promise<void>> {
  for (const part of parts) await part.start();
  return async () => {
    for (const part of [...parts].reverse()) await part.stop();
  };
}
