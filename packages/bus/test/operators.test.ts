import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getBalance, getLedgerProof } from "@collect/contracts";
import { startNats } from "@collect/servers";
import { headers, type Msg } from "nats";
import { afterAll, expect, test } from "vitest";
import {
  AuthorizationError,
  brokerUsers,
  connectBus,
  createSeed,
  operatorOf,
  publicKeyOf,
  publicKeysOf,
} from "../src/index.ts";
import { log, SEEDS, seal, until } from "./world.ts";

/** Two persons. The second has a new key beside the one to be replaced. */
const [ada, bola, bolasNext] = [createSeed(), createSeed(), createSeed()];
const usersWith = (bolas: string[], seeds = SEEDS) =>
  brokerUsers({
    ...publicKeysOf(seeds),
    operators: { "operator-ada": [publicKeyOf(ada)], "operator-bola": bolas.map(publicKeyOf) },
  });

const directory = await mkdtemp(join(tmpdir(), "collect-operators-"));
const broker = await startNats({ directory, port: 0, users: usersWith([bola, bolasNext]) });
const open = (seed: string, name: "operator" | "ledger" | "dashboard") =>
  connectBus({ url: broker.url, seed, name, log, seal });
const ledger = await open(SEEDS.ledger, "ledger");
const dashboard = await open(SEEDS.dashboard, "dashboard");
afterAll(async () => {
  await Promise.all([ledger.close(), dashboard.close()]);
  await broker.stop();
  await rm(directory, { recursive: true, force: true });
});

const PROOF = { proven_at: null, holds: true, modes: [], entries: {}, differences: [], parts: [] };
const asked: (string | undefined)[] = [];
const respond = (message: Msg) => {
  asked.push(operatorOf(message));
  message.respond(JSON.stringify({ data: PROOF }));
};
ledger.serve(getLedgerProof, respond);
ledger.serve(getBalance, respond);
await ledger.flush();

test("the broker says which operator asks, with every key of the person", async () => {
  asked.length = 0;
  for (const seed of [ada, bola, bolasNext]) {
    const operator = await open(seed, "operator");
    expect(await operator.request(getLedgerProof, {})).toEqual(PROOF);
    await operator.close();
  }
  expect(asked).toEqual(["operator-ada", "operator-bola", "operator-bola"]);
});

test("neither an operator nor a service can pass for an operator by a header of its own", async () => {
  asked.length = 0;
  const meta = headers();
  meta.set("Nats-Request-Info", JSON.stringify({ acc: "operator-bola" }));
  const operator = await open(ada, "operator");
  operator.nats.publish(getLedgerProof.subject, "{}", { reply: "_INBOX_operator.ledger.1", headers: meta });
  dashboard.nats.publish(getBalance.subject, "{}", { reply: "_INBOX_dashboard.ledger.1", headers: meta });
  await until("both have arrived", () => asked.length === 2);
  expect(asked.toSorted()).toEqual(["operator-ada", undefined]);
  const refused = dashboard.nats.status();
  dashboard.nats.publish(getBalance.subject, "{}", { reply: "_R_.forged", headers: meta });
  for await (const event of refused) {
    if (event.type !== "error") continue;
    expect(event.error.message).toBe('Permissions Violation for Publish with Reply of "_R_.forged"');
    break;
  }
  await operator.close();
});

test("an operator reaches no request that does not name operators, and sees nothing of another's account", async () => {
  const [operator, other] = [await open(ada, "operator"), await open(bola, "operator")];
  const refused = operator.nats.status();
  operator.nats.publish(getBalance.subject, "{}", { reply: "_INBOX_operator.ledger.1" });
  for await (const event of refused) {
    if (event.type !== "error") continue;
    expect(event.error.message).toBe(`Permissions Violation for Publish to "${getBalance.subject}"`);
    break;
  }
  const seen: string[] = [];
  other.nats.subscribe("_INBOX_operator.>", { callback: (_error, { subject }) => void seen.push(subject) });
  await other.flush();
  await operator.request(getLedgerProof, {});
  await other.flush();
  expect(seen).toEqual([]);
  await Promise.all([operator.close(), other.close()]);
});

test("a key that is removed from the running broker is refused, and the new one goes on working", async () => {
  const operator = await open(bolasNext, "operator");
  await writeFile(join(directory, "users.conf"), usersWith([bolasNext]));
  process.kill(broker.pid, "SIGHUP");
  await until("the old key is refused", () =>
    open(bola, "operator").then(
      (connection) => connection.close().then(() => false),
      (error) => error instanceof AuthorizationError,
    ),
  );
  expect(await operator.request(getLedgerProof, {})).toEqual(PROOF);
  expect(ledger.nats.isClosed()).toBe(false);
  await operator.close();
});

test("a service that the broker refuses again and again comes back by itself once it is let in", async () => {
  const refused: Error[] = [];
  const watched = dashboard.nats.status();
  void (async () => {
    for await (const event of watched) if (event.type === "error") refused.push(event.error);
  })();
  await writeFile(join(directory, "users.conf"), usersWith([bolasNext], { ...SEEDS, dashboard: createSeed() }));
  process.kill(broker.pid, "SIGHUP");
  await until("it was refused", () => refused.filter((error) => error instanceof AuthorizationError).length > 3);
  await writeFile(join(directory, "users.conf"), usersWith([bolasNext]));
  process.kill(broker.pid, "SIGHUP");
  await until("it is back", () => dashboard.isUp());
  await dashboard.flush();
});

test("credentials in the URL are refused instead of ignored", async () => {
  const { host } = new URL(broker.url);
  await expect(
    connectBus({ url: `nats://ledger:secret@${host}`, seed: SEEDS.ledger, name: "ledger", log }),
  ).rejects.toThrow("NATS_URL contains credentials");
});
