import { until } from "@collect/testing";
import type { Replica, Service } from "../stack.ts";

type Env = Record<string, string>;

/** Two replicas of a service, as behind a load balancer. */
export type Balanced = {
  /** Of a replica that is in service, each in turn. */
  url(): string;
  /** Calls one of them: it is not restarted until it has responded. */
  call<Result>(work: (url: string) => Promise<Result>): Promise<Result>;
  /** Gives both these settings, one after the other: what is restarted gets no more calls until it is back. */
  roll(settings: Env): Promise<void>;
};

export async function balanced(service: Service): Promise<Balanced> {
  const replicas: Replica[] = [service, await service.addReplica()];
  const serving = new Set(replicas);
  const calls = new Map<Replica, number>();
  let settings: Env = {};
  let turn = 0;

  function next(): Replica {
    const [one, other = one] = serving;
    const chosen = turn++ % 2 === 0 ? one : other;
    if (!chosen) throw new Error("no replica is in service");
    return chosen;
  }

  async function restart(replica: Replica): Promise<void> {
    serving.delete(replica);
    await until("the replica has answered its calls", () => (calls.get(replica) ?? 0) === 0);
    await replica.restart({ env: settings });
    serving.add(replica);
  }

  return {
    url: () => next().url,
    async call(work) {
      const replica = next();
      const count = (change: number) => calls.set(replica, (calls.get(replica) ?? 0) + change);
      count(1);
      return work(replica.url).finally(() => count(-1));
    },
    async roll(changes) {
      settings = { ...settings, ...changes };
      for (const replica of replicas) await restart(replica);
    },
  };
}
