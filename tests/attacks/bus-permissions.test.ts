import { mkdtemp, rm } from "node:fs/promises";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSeed, publicKeyOf } from "@collect/bus";
import { createLogger } from "@collect/runtime";
import { SEEDS, startBroker, until } from "@collect/testing";
import { type ConnectionOptions, connect, type NatsConnection, nkeyAuthenticator, nkeys } from "nats";
import { afterAll, describe, expect, test } from "vitest";
import { inboxOf, PUBLISHES, SUBSCRIPTIONS, USERS, type User } from "./broker-matrix.ts";

/** A broker with the generated users, and no service on it: what is allowed here has no effect. */
const directory = await mkdtemp(join(tmpdir(), "collect-attack-"));
const broker = await startBroker({ directory, port: 0, log: createLogger("attacks", "silent") });
afterAll(async () => {
  await broker.stop();
  await rm(directory, { recursive: true, force: true });
});

const open = (options: ConnectionOptions) => connect({ servers: broker.url, reconnect: false, ...options });
const seedOf = (seed: string) => nkeyAuthenticator(new TextEncoder().encode(seed));
const openAs = (user: User) => open({ authenticator: seedOf(SEEDS[user]), inboxPrefix: inboxOf(user) });

describe("who has no key", () => {
  test("gets nothing from a bare socket: it is told to leave before any message", async () => {
    const socket = createConnection(broker.port, "127.0.0.1");
    let received = "";
    socket.on("data", (data) => {
      received += data.toString();
    });
    socket.write('CONNECT {"verbose":false}\r\nSUB > 1\r\nPUB webhooks.endpoint.get _INBOX.x 2\r\n{}\r\nPING\r\n');
    await new Promise((resolve) => socket.once("close", resolve));
    expect(received).toContain("-ERR 'Authorization Violation'");
    expect(received).not.toMatch(/\r\n(MSG|HMSG|PONG)/);
  });

  const stranger = createSeed();
  const ofLedger = publicKeyOf(SEEDS.ledger);
  test.each<[string, ConnectionOptions]>([
    ["no credentials", {}],
    ["a user and a password", { user: "ledger", pass: "ledger" }],
    ["a token", { token: "ledger" }],
    ["a key that the broker does not know", { authenticator: seedOf(stranger) }],
    [
      "the public key of a service, and another key's signature",
      {
        authenticator: (nonce) => {
          const signature = nkeys.fromSeed(new TextEncoder().encode(stranger)).sign(new TextEncoder().encode(nonce));
          return { nkey: ofLedger, sig: nkeys.encode(signature) };
        },
      },
    ],
  ])("is refused with %s", async (_what, options) => {
    await expect(open(options)).rejects.toThrow("Authorization Violation");
  });

  test("is let in with the key of a service", async () => {
    const nats = await openAs("ledger");
    expect(nats.info?.auth_required).toBe(true);
    await nats.close();
  });
});

describe.each(USERS)("the user %s", (user) => {
  test("publishes what the contracts say, and everything else is a permissions violation", async () => {
    const nats = await openAs(user);
    const refused = collectRefusals(nats);
    for (const { subject } of PUBLISHES) nats.publish(subject);
    await nats.flush();
    const expected = PUBLISHES.filter(({ by }) => !by.includes(user)).map(({ subject }) => subject);
    await until("every refusal has arrived", () => refused.size >= expected.length);
    expect([...refused].toSorted()).toEqual(expected.toSorted());
    await nats.close();
  });

  test("subscribes to what the contracts say, in its own queue group, and to nothing else", async () => {
    const nats = await openAs(user);
    const refused = new Set<number>();
    for (const [index, { subject, queue }] of SUBSCRIPTIONS.entries())
      nats.subscribe(subject, {
        ...(queue && { queue }),
        callback: (error) => {
          if (error?.message.startsWith("Permissions Violation")) refused.add(index);
        },
      });
    await nats.flush();
    const expected = SUBSCRIPTIONS.flatMap(({ by }, index) => (by.includes(user) ? [] : [index]));
    await until("every refusal has arrived", () => refused.size >= expected.length);
    expect([...refused].toSorted((a, b) => a - b)).toEqual(expected);
    await nats.close();
  });
});

/** The subjects that the broker refuses to publish to. */
function collectRefusals(nats: NatsConnection): Set<string> {
  const refused = new Set<string>();
  const watch = async () => {
    for await (const status of nats.status()) {
      if (status.type !== "error") continue;
      const subject = /^Permissions Violation for Publish to "(.+)"/.exec(status.error.message)?.[1];
      if (subject) refused.add(subject);
    }
  };
  void watch();
  return refused;
}
