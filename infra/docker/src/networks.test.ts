import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";

const ROOT = join(import.meta.dirname, "../../..");
const Compose = z.object({
  services: z.record(
    z.string(),
    z.object({
      profiles: z.array(z.string()).default([]),
      networks: z.array(z.string()),
      ports: z.array(z.string()).default([]),
    }),
  ),
  networks: z.record(z.string(), z.object({ internal: z.boolean() }).nullable()),
});
const compose = Compose.parse(parse(readFileSync(join(ROOT, "docker-compose.yml"), "utf8"), { merge: true }));
const services = Object.entries(compose.services);
const proxy = readFileSync(join(ROOT, "infra/docker/haproxy.cfg"), "utf8");

const on = (network: string) =>
  services.flatMap(([name, { networks }]) => (networks.includes(network) ? [name] : [])).toSorted();
const isOpen = (network: string) => !compose.networks[network]?.internal;

test("the simulated bank runs only for a first look, and reaches the bank door and nothing behind it", () => {
  expect(compose.services["bank-simulator"]).toMatchObject({ profiles: ["sandbox"], networks: ["bank"] });
  expect(on("bank")).toEqual(["accounts", "bank-simulator", "payments"]);
});

test("the proxy reaches what it calls only, and the operators' pages share the broker's network only", () => {
  expect(on("edge")).toEqual(["accounts", "checkout", "dashboard", "gateway", "proxy"]);
  expect(compose.services.proxy?.networks).toEqual(["front", "edge"]);
  expect(compose.services.operators?.networks).toEqual(["bus", "operators"]);
  expect([on("front"), on("operators")]).toEqual([["proxy"], ["operators"]]);
});

test("only what calls merchants, the mail server or the bank, or has a port of the machine, is on a network that leads out", () => {
  const open = services.flatMap(([name, { networks }]) => (networks.some(isOpen) ? [name] : []));
  const published = services.flatMap(([name, { ports }]) => (ports.length > 0 ? [name] : []));
  expect(open.toSorted()).toEqual([...published, "accounts", "payments", "dashboard", "webhooks"].toSorted());
  expect(on("outside")).toEqual(["dashboard", "webhooks"]);
});

test("no service that merchants and payers call has a port of the machine, so that each can have many replicas", () => {
  const published = services.filter(([, { ports }]) => ports.length > 0).map(([name]) => name);
  expect(published.toSorted()).toEqual(["bank-simulator", "operators", "proxy"]);
  const targets = [...proxy.matchAll(/server-template \w+ 10 (\w+):(\d+)/g)].map(([, name, port]) => `${name}:${port}`);
  expect(targets).toEqual(["gateway:4000", "checkout:4100", "dashboard:4200", "accounts:4300"]);
  expect(compose.services.proxy?.ports).toEqual(
    targets.map((each) => `127.0.0.1:${each.replace(/\w+:(\d+)/, "$1:$1")}`),
  );
});

test("callers of one service cannot take the connections of another", () => {
  const [before = "", ...faces] = proxy.split(/^listen /m);
  const limits = faces.map((face) => Number(/^ {2}maxconn (\d+)$/m.exec(face)?.[1]));
  expect(limits).toHaveLength(4);
  expect(Math.min(...limits)).toBeGreaterThan(0);
  const all = limits.reduce((sum, limit) => sum + limit);
  expect(Number(/^ {2}maxconn (\d+)$/m.exec(before)?.[1])).toBeGreaterThan(all);
});
