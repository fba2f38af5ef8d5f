import { EVENTS, REQUESTS, SERVICES } from "@collect/contracts";
import { expect, test } from "vitest";
import { brokerUsers, createSeed, forEachUser, permissionsOf, publicKeyOf, publicKeysOf } from "../src/index.ts";

test("a service may request exactly what names it as a caller, and answers in its own queue group only", () => {
  for (const service of SERVICES) {
    const { publish, subscribe } = permissionsOf(service);
    for (const { subject, callers, to } of REQUESTS) {
      expect([service, subject, publish.includes(subject)]).toEqual([service, subject, callers.includes(service)]);
      expect(subscribe.filter((allowed) => allowed.split(" ")[0] === subject)).toEqual(
        to === service ? [`${subject} ${service}`] : [],
      );
    }
  }
});

test("only the publisher of an event may publish it, and only declared listeners may subscribe to it", () => {
  for (const service of SERVICES) {
    const { publish, subscribe } = permissionsOf(service);
    for (const { subject, from, listeners = [] } of EVENTS) {
      expect(publish.some((allowed) => allowed.startsWith(`${subject}.`))).toBe(from === service);
      expect(subscribe.includes(`${subject}.>`)).toBe(listeners.includes(service));
    }
  }
});

test("no service has a wildcard but within its own subjects", () => {
  for (const service of SERVICES) {
    const { publish, subscribe } = permissionsOf(service);
    for (const subject of [...publish, ...subscribe]) expect(subject).toMatch(/^[^*>]{8,}(\.\*|\.>)?$|^_R_\.>$/);
  }
});

test("every key of a user has the user's permissions, and a name or key that is none is refused", () => {
  const keys = publicKeysOf(forEachUser(() => createSeed()));
  const next = publicKeyOf(createSeed());
  const text = brokerUsers({ ...keys, ledger: [...keys.ledger, next] });
  const blocks = text.split("{ # ").filter((block) => block.startsWith("ledger"));
  expect(blocks).toHaveLength(2);
  expect(blocks[0]?.replace(keys.ledger[0] ?? "", next)).toBe(blocks[1]);
  expect(() => brokerUsers({ ...keys, ledger: ['U" } users: ['] })).toThrow("a public key of a user");
  expect(() => brokerUsers({ ...keys, operators: { services: [next] } })).toThrow("services is no name of an operator");
});
