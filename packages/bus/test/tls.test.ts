import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect as connectSocket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getBalance, Problem } from "@collect/contracts";
import { createAuthority, startNats } from "@collect/servers";
import { expect, onTestFinished, test } from "vitest";
import { answer, brokerOf, brokerUsers, connectBus, publicKeysOf, serveRequests } from "../src/index.ts";
import { log, SEEDS } from "./world.ts";

/** A broker whose configuration has a certificate, as a deployment's has, and the settings of its clients. */
async function anEncryptedBroker(name = "localhost") {
  const directory = await mkdtemp(join(tmpdir(), "collect-tls-"));
  const authority = await createAuthority(directory);
  const { certificate, key } = await authority.certify(name);
  const files = { cert: join(directory, "certificate.pem"), key: join(directory, "key.pem") };
  await writeFile(files.cert, certificate);
  await writeFile(files.key, key, { mode: 0o600 });
  const users = brokerUsers(publicKeysOf(SEEDS), files);
  const nats = await startNats({ directory: join(directory, "nats"), port: 0, users });
  onTestFinished(async () => {
    await nats.stop();
    await rm(directory, { recursive: true, force: true });
  });
  return { directory, authority, port: nats.port, url: `tls://localhost:${nats.port}` };
}

/** As a process connects, with these settings. */
async function connectWith(name: "ledger" | "gateway", settings: { NATS_URL: string; NATS_CA?: string }) {
  const bus = await connectBus({ ...brokerOf({ ...settings, NATS_NKEY_SEED: SEEDS[name] }), name, log });
  onTestFinished(() => bus.close());
  return bus;
}

test("a service that knows the authority talks to the broker encrypted", async () => {
  const { authority, url } = await anEncryptedBroker();
  const settings = { NATS_URL: url, NATS_CA: authority.file };
  const [ledger, gateway] = [await connectWith("ledger", settings), await connectWith("gateway", settings)];
  const refusal = answer(getBalance, async () => {
    throw new Problem("not_found", "There is no such merchant.");
  });
  const responding = serveRequests(ledger, { service: "ledger", log, requests: [refusal] });
  await responding.start();
  onTestFinished(() => responding.stop());
  await ledger.flush();
  await expect(gateway.request(getBalance, { merchant: { id: "mer_1", mode: "test" } })).rejects.toMatchObject({
    code: "not_found",
  });
});

test("a broker is refused whose certificate another authority signed, or that is for another name", async () => {
  const { directory, url } = await anEncryptedBroker();
  const stranger = await createAuthority(join(directory, "stranger"));
  await expect(connectWith("ledger", { NATS_URL: url, NATS_CA: stranger.file })).rejects.toThrow(/certificate/);
  await expect(connectWith("ledger", { NATS_URL: url })).rejects.toThrow(/certificate/);
  const other = await anEncryptedBroker("other.example");
  const settings = { NATS_URL: other.url, NATS_CA: other.authority.file };
  await expect(connectWith("ledger", settings)).rejects.toThrow(/does not match certificate/);
});

test("an address instead of the broker's name is refused with TLS, because its certificate could not be checked", async () => {
  const { authority, port } = await anEncryptedBroker();
  for (const host of ["127.0.0.1", "[::1]"])
    await expect(connectWith("ledger", { NATS_URL: `tls://${host}:${port}`, NATS_CA: authority.file })).rejects.toThrow(
      "NATS_URL has an address instead of a name",
    );
});

test("neither side falls back to plaintext: the broker ends such a connection, and a service leaves such a broker", async () => {
  const { authority, port } = await anEncryptedBroker();
  expect(await inPlaintext(port)).not.toContain("PONG");

  const directory = await mkdtemp(join(tmpdir(), "collect-plain-"));
  const plain = await startNats({ directory, port: 0, users: brokerUsers(publicKeysOf(SEEDS)) });
  onTestFinished(async () => {
    await plain.stop();
    await rm(directory, { recursive: true, force: true });
  });
  const settings = { NATS_URL: `tls://localhost:${plain.port}`, NATS_CA: authority.file };
  await expect(connectWith("ledger", settings)).rejects.toThrow(/tls/i);
});

/** What the broker sends to a client that goes on without encryption, until it closes the connection. */
async function inPlaintext(port: number): Promise<string> {
  const socket = connectSocket(port, "127.0.0.1");
  socket.write('CONNECT {"verbose":false}\r\nPING\r\n');
  let received = "";
  socket.on("data", (data) => {
    received += data;
  });
  await new Promise((resolve) => socket.once("close", resolve));
  return received;
}
