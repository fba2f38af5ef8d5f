import type { Bus } from "@collect/bus";
import type { Fact, FactEvent } from "@collect/contracts";
import { until } from "./until.ts";

/** The facts of one event published on the bus, parsed. */
export type FactLog<Event extends FactEvent> = {
  all: Fact<Event>[];
  /** Waits until there are that many facts, including repeats. */
  count(n: number): Promise<Fact<Event>[]>;
};

export async function recordFacts<Event extends FactEvent>(bus: Bus, event: Event): Promise<FactLog<Event>> {
  const all: Fact<Event>[] = [];
  bus.listen(event, (facts) => {
    for (const fact of facts) all.push(event.data.parse(fact) as Fact<Event>);
  });
  await bus.flush();
  return {
    all,
    count: (n) => until(`${n} facts of ${event.subject}`, () => all.length >= n && all),
  };
}
