import { createSeed, forEachUser, publicKeyOf } from "@collect/bus";
import { expect, test } from "vitest";
import { clusterOf, usersOf } from "./users.ts";

const seeds = forEachUser(() => createSeed());
const environment = Object.fromEntries(
  Object.entries(seeds).map(([user, seed]) => [`${user.toUpperCase()}_NKEY_SEED`, seed]),
);

test("the broker knows every user of a deployment by its public key, and no seed", () => {
  const text = usersOf(environment);
  for (const seed of Object.values(seeds)) {
    expect(text).toContain(`nkey: "${publicKeyOf(seed)}"`);
    expect(text).not.toContain(seed);
  }
  expect(() => usersOf({ ...environment, LEDGER_NKEY_SEED: undefined })).toThrow("there is no secret LEDGER_NKEY_SEED");
});

test("during a rotation a user has two keys, and operators are added with their own", () => {
  const [next, ada] = [createSeed(), publicKeyOf(createSeed())];
  const text = usersOf({ ...environment, LEDGER_NKEY_SEED_NEXT: next, NATS_OPERATORS: `operator-ada:${ada}` });
  expect(text.match(/# ledger\n/g)).toHaveLength(2);
  expect(text).toContain(publicKeyOf(next));
  expect(text).toContain(`{ # operator-ada\n        nkey: "${ada}"`);
  expect(() => usersOf({ ...environment, NATS_OPERATORS: "ada:nothing" })).toThrow("ada is no name of an operator");
});

test("the broker encrypts its connections once it has a certificate and its key", () => {
  expect(usersOf(environment)).not.toContain("tls {");
  expect(usersOf({ ...environment, NATS_SERVER_CERT: "c.pem", NATS_SERVER_KEY: "k.pem" })).toContain("tls {");
});

test("a cluster's servers reach each other with a password, and encrypted unless that is given up by name", () => {
  const unencrypted = { NATS_CLUSTER_SERVERS: "nats-0,nats-1:7222", NATS_CLUSTER_PASSWORD: "p".repeat(22) };
  for (const ALLOW_PLAINTEXT of [undefined, "DATABASE_URL,NATS_URL"])
    expect(() => clusterOf({ ...unencrypted, ALLOW_PLAINTEXT })).toThrow("NATS_CLUSTER_SERVERS: is not encrypted");
  const cluster = { ...unencrypted, ALLOW_PLAINTEXT: "NATS_URL,NATS_CLUSTER_SERVERS" };
  const text = clusterOf(cluster);
  expect(text).toContain("include ./nats.conf");
  expect(text).toContain(`nats://route:${"p".repeat(22)}@nats-0:6222`);
  expect(text).toContain("@nats-1:7222");
  expect(text).not.toContain("tls {");
  const encrypted = clusterOf({
    ...unencrypted,
    NATS_SERVER_CERT: "c.pem",
    NATS_SERVER_KEY: "k.pem",
    NATS_CA: "a.pem",
  });
  expect(encrypted).toMatch(/tls \{.*ca_file: "\/etc\/nats\/authority.pem", verify: true/);
  expect(clusterOf(environment)).toBeUndefined();
  expect(() => clusterOf({ ...cluster, NATS_CLUSTER_PASSWORD: "short" })).toThrow("NATS_CLUSTER_PASSWORD");
  expect(() => clusterOf({ ...cluster, NATS_CLUSTER_SERVERS: 'nats-0" } x: {' })).toThrow("is no server of a cluster");
});
