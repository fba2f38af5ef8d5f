import type { ServiceName } from "@collect/contracts";
import { freePort } from "@collect/servers";
import { until } from "@collect/testing";
import { aBankTransfer, reportTransfer } from "../stack/bank.ts";
import { client } from "../stack/client.ts";
import type { Person } from "../stack/person.ts";
import type { Pod, Prometheus } from "../stack/prometheus.ts";
import type { Replica, Stack } from "../stack.ts";
import { audited } from "./audited.ts";
import type { Customer } from "./traffic.ts";

/** What the faults of `alerts.test.ts` are injected into. */

export type World = {
  stack: Stack;
  prometheus: Prometheus;
  /** Every process that Prometheus reads: two of each service. */
  pods: Pod[];
  customer: Customer;
  owner: Person;
};

/** `alerts` fire while it lasts, all of them and no others. The usual ones are injected without `ALERTS=all`, too. */
export type Fault = {
  name: string;
  alerts: string[];
  isUsual?: true;
  inject(world: World): Promise<() => Promise<unknown>>;
};

export function replicaOf(stack: Stack, name: ServiceName, index: number): Replica {
  const replica = stack.service(name).replicas[index];
  if (!replica) throw new Error(`${name} has no replica ${index}`);
  return replica;
}

export const apiOf = ({ stack, customer }: World) => client(stack.baseUrl, customer.merchant.keys.sk_live);
export const balanceOf = ({ merchant }: Customer) => `/api/m/${merchant.id}/live/balance`;

/** Changes those of the customer's merchant. */
export const changeEntries = ({ stack, customer }: World, change: string) =>
  audited(stack).tamper(
    "ledger",
    ["entries"],
    `update entries set ${change} where account_id = 'live:collected:${customer.merchant.id}'`,
  );

/** The bank reports money for the customer. */
export const report = ({ stack, customer }: World, amount: number) =>
  reportTransfer(stack.bankDoor, aBankTransfer({ account_number: customer.accountNumber, amount }));

/** Waits until nothing is on its way: it would be retried in the next fault. */
export const allRecorded = ({ stack }: World) =>
  until("all money is recorded", async () => {
    const { rowCount } = await stack
      .database("accounts")
      .query("select from inbound_transfers where completed_at is null");
    return rowCount === 0;
  });

/**
 * Further replicas of a service, which make their first passes now. Prometheus reads them, too, or `alone` of their service, until the
 * returned function ends them.
 */
export async function addReplicas(
  { stack, prometheus, pods }: World,
  service: ServiceName,
  { env = {}, count = 1, alone = false }: { env?: Record<string, string>; count?: number; alone?: boolean } = {},
): Promise<() => Promise<void>> {
  const replicas: Replica[] = [];
  const added: Pod[] = [];
  while (added.length < count) {
    const port = await freePort();
    replicas.push(await stack.service(service).addReplica({ env: { ...env, INTERNAL_PORT: String(port) } }));
    added.push({ service, pod: `${service}-added-${added.length}`, port });
  }
  await prometheus.discover([...pods.filter((pod) => !alone || pod.service !== service), ...added]);
  return async () => {
    await prometheus.discover(pods);
    for (const replica of replicas) await replica.kill9();
  };
}
