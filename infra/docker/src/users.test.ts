import { createSeed, forEachUser, publicKeyOf } from "@collect/bus";
import { expect, test } from "vitest";
import { usersOf } from "./users.ts";

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
