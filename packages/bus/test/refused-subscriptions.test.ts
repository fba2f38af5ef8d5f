import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getBalance } from "@collect/contracts";
import { startNats } from "@collect/servers";
import { afterAll, expect, test } from "vitest";
import { answer, bus as busComponent, connectBus, serveRequests } from "../src/index.ts";
import { log, SEEDS, USERS, until } from "./world.ts";

/** The users of a release that did not know this request. */
const FORMER = USERS.replace(`"${getBalance.subject} ledger"`, `"${getBalance.subject}.unknown ledger"`);
const directory = await mkdtemp(join(tmpdir(), "collect-refused-"));
const broker = await startNats({ directory, port: 0, users: FORMER });
const [ledger, gateway] = await Promise.all([
  connectBus({ url: broker.url, seed: SEEDS.ledger, name: "ledger", log }),
  connectBus({ url: broker.url, seed: SEEDS.gateway, name: "gateway", log }),
]);
afterAll(async () => {
  await Promise.all([ledger.close(), gateway.close()]);
  await broker.stop();
  await rm(directory, { recursive: true, force: true });
});

const BALANCE = {
  ...({ mode: "test", currency: "NGN", collected: 100n, settled: 0n } as const),
  ...{ as_of: "2026-11-21T09:30:00.000+00:00", ledger_sequence: 3 },
};
const requestBalance = () => gateway.request(getBalance, { merchant: { id: "mer_1", mode: "test" } });
const giveUsers = async (users: string) => {
  await writeFile(join(directory, "users.conf"), users);
  process.kill(broker.pid, "SIGHUP");
};
const refused = () => until("it is refused", () => ledger.refused().includes(getBalance.subject));
const accepted = () => until("it is accepted", () => ledger.refused().length === 0);

test("a service that started before its broker knew its permissions says so, and answers once the broker has them", async () => {
  expect(FORMER).not.toBe(USERS);
  const requests = serveRequests(ledger, {
    service: "ledger",
    log,
    requests: [answer(getBalance, async () => BALANCE)],
  });
  await requests.start();
  await refused();
  const check = () => busComponent(ledger).checks?.bus?.();
  await expect(check()).rejects.toThrow(`the message broker refuses subscriptions: ${getBalance.subject}`);
  await expect(requestBalance()).rejects.toMatchObject({ code: "service_unavailable" });

  await giveUsers(USERS);
  await accepted();
  await check();
  expect(await requestBalance()).toMatchObject({ collected: 1 });

  // And the same of a running one, which loses and regains them.
  await giveUsers(FORMER);
  await refused();
  await expect(requestBalance()).rejects.toMatchObject({ code: "service_unavailable" });
  await giveUsers(USERS);
  await accepted();
  expect(await requestBalance()).toMatchObject({ collected: 1 });

  await giveUsers(FORMER);
  await refused();
  await requests.stop();
});
