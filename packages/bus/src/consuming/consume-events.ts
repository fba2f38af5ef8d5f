import type { Component } from "@collect/runtime";
import type { Bus } from "../connection/connect.ts";
import type { Consumer, ConsumerDeps } from "./consumer.ts";
import { createLoop } from "./loop.ts";
import { measureConsumers } from "./measurements.ts";

/** Consumes every event in both modes, each mode in its own loop. Test yields while live has a backlog. */
export function consumeEvents(bus: Bus, { consumers, ...deps }: ConsumerDeps & { consumers: Consumer[] }): Component {
  const loops = consumers.flatMap((consumer) => {
    const live = createLoop(bus, deps, { consumer, mode: "live" });
    const test = createLoop(bus, deps, { consumer, mode: "test", yieldsTo: live });
    return [live, test];
  });
  return {
    name: "consumers",
    start: async () => void (await Promise.all(loops.map((loop) => loop.start()))),
    stop: async () => void (await Promise.all(loops.map((loop) => loop.stop()))),
    measurements: measureConsumers(bus, { consumers, ...deps }),
  };
}
