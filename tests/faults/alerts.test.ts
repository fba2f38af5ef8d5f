import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SERVICES } from "@collect/contracts";
import { findPrometheus, freePort } from "@collect/servers";
import { until } from "@collect/testing";
import { afterAll, describe, expect, test } from "vitest";
import { SIMULATED_PARTNERS } from "../stack/partners.ts";
import { aMember } from "../stack/person.ts";
import { type Pod, type Prometheus, RULES, startPrometheus } from "../stack/prometheus.ts";
import { ROOT } from "../stack/service.ts";
import { startStack } from "../stack.ts";
import { FAULTS } from "./alert-faults.ts";
import type { World } from "./alert-world.ts";
import { aCustomer } from "./traffic.ts";

const POLL = { timeout: 30_000, interval: 200 };

const alertsIn = async ({ query }: Prometheus, states: string) => {
  const alerts = await query(`count by (alertname) (ALERTS{alertstate=~"${states}"})`);
  return alerts.map(({ alertname = "" }) => alertname);
};
const firingIn = (prometheus: Prometheus) => alertsIn(prometheus, "firing");

const found = await findPrometheus("prometheus");
if (!found)
  process.emitWarning("no prometheus on this machine: no fault is watched by the alerts (apt-get install prometheus)");
const world = found ? await openWorld(found) : undefined;
afterAll(async () => {
  await world?.prometheus.stop();
  await world?.stack.stop();
});

/** Two replicas of each service, as the alerts demand, read by Prometheus with the labels that they have on Kubernetes. */
async function openWorld(program: string): Promise<World> {
  const pods: Pod[] = [];
  for (const service of SERVICES)
    for (const number of [0, 1]) pods.push({ service, pod: `${service}-${number}`, port: await freePort() });
  const envOf = (pod: string) => ({
    INTERNAL_PORT: String(pods.find((one) => one.pod === pod)?.port),
    ...(pod.startsWith("ledger") && { AUDIT_EVERY_MS: "500" }),
  });
  const env = Object.fromEntries(SERVICES.map((name) => [name, envOf(`${name}-0`)]));
  const stack = await startStack({ env: { ...env, "bank-simulator": SIMULATED_PARTNERS } });
  await Promise.all(SERVICES.map((name) => stack.service(name).addReplica({ env: envOf(`${name}-1`) })));
  const customer = await aCustomer(stack);
  const owner = await aMember(stack, customer.merchant.id, "owner");
  const prometheus = await startPrometheus(program);
  await prometheus.discover(pods);
  await until("nothing fires", async () => (await firingIn(prometheus)).length === 0);
  return { stack, prometheus, pods, customer, owner };
}

const PLAYED = process.env.ALERTS === "all" ? FAULTS : FAULTS.filter(({ isUsual }) => isUsual);

/** Alerts of mended faults: they may fire for a while, and again if a measurement comes late. */
const earlier = new Set<string>();

describe.runIf(world)("a fault on the stack fires its alerts, and no others", () => {
  test.each(PLAYED)("$name: $alerts", async ({ alerts, inject }) => {
    if (!world) throw new Error("there is no stack");
    const observe = async (states: string) => {
      const observed = await alertsIn(world.prometheus, states);
      return observed.filter((alert) => alerts.includes(alert) || !earlier.has(alert)).toSorted();
    };
    // What a mended fault still brings about is over, too.
    await expect.poll(() => observe("pending|firing"), POLL).toEqual([]);

    const mend = await inject(world);
    const fired = new Set<string>();
    const seen = async () => {
      for (const alert of await observe("firing")) fired.add(alert);
      return [...fired].toSorted();
    };
    try {
      await expect.poll(seen, POLL).toEqual(alerts);
    } finally {
      for (const alert of fired) earlier.add(alert);
      await mend();
    }
  });

  test("none fires once all are mended", async () => {
    await expect.poll(() => world && firingIn(world.prometheus), POLL).toEqual([]);
  });
});

test("the README names what provokes each alert", () => {
  const readme = readFileSync(join(ROOT, "infra/kubernetes/README.md"), "utf8");
  const [, section = ""] = readme.split("## What provokes each alert\n");
  const rows = [...section.matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)].map(([, what, alerts = ""]) => [
    what,
    [...alerts.matchAll(/`(\w+)`/g)].map(([, alert]) => alert),
  ]);
  const onTheStack = FAULTS.map(({ name, alerts }) => [name, alerts]);
  expect(rows.slice(1, 1 + onTheStack.length)).toEqual(onTheStack);
  const all = RULES.flatMap((rules) => [...rules.matchAll(/- alert: (\w+)/g)].map(([, alert]) => alert));
  const bySeriesAlone = rows.slice(1 + onTheStack.length).flatMap(([, alerts]) => alerts);
  const provoked = [...new Set(FAULTS.flatMap(({ alerts }) => alerts)), ...bySeriesAlone];
  expect(provoked.toSorted()).toEqual(all.toSorted());
});
