import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectAs, startBroker, until, type World } from "@collect/testing";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { aShop, call, type Gateway, openGatewayWorld, startGateway } from "./gateway.ts";
import { type Others, playOthers } from "./others.ts";

let world: World;
let gateway: Gateway;
let others: Others;
let causes = "";
let shop: Awaited<ReturnType<typeof aShop>>;

beforeAll(async () => {
  world = await openGatewayWorld();
  const keep = (fields: object) => {
    if ("err" in fields) causes += String(fields.err);
  };
  gateway = await startGateway({ ...world, log: { ...world.log, error: keep } });
  others = await playOthers(world);
  shop = await aShop(world);
});
afterAll(async () => {
  await gateway.stop();
  await others.stop();
  await world.close();
});

const balance = (on = gateway) => call(on, "GET", "/balance", { key: shop.sk_test });

/** The server refuses connections of the service and closes existing ones, as during a restart. */
async function withoutDatabase(work: () => Promise<void>): Promise<void> {
  const name = new URL(world.database.owner).pathname.slice(1);
  await world.owner.query(`alter database ${name} connection limit 0`);
  await world.owner.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename <> current_user",
    [name],
  );
  await work().finally(() => world.owner.query(`alter database ${name} connection limit -1`));
}

test("without the database a call gets 503 without internals, the cause is logged, the index still responds, and calls work again after it returns", async () => {
  await withoutDatabase(async () => {
    const { status, body, text } = await balance();
    expect([status, body.code]).toEqual([503, "service_unavailable"]);
    expect(text).not.toMatch(/postgres|connection|collect_|at .*\.ts/i);
    expect((await call(gateway, "GET", "/")).status).toBe(200);
    expect(causes).toMatch(/too many connections|terminating connection|Connection terminated/);
    // A mistyped key needs no database to be refused.
    expect((await call(gateway, "GET", "/balance", { key: "sk_test_x" })).status).toBe(401);
  });
  await until("the gateway works again", async () => (await balance()).status === 200);
});

test("without the broker a call gets 503", async () => {
  const store = await mkdtemp(join(tmpdir(), "collect-nats-"));
  onTestFinished(() => rm(store, { recursive: true, force: true }));
  const nats = await startBroker({ directory: store, port: 0, log: world.log });
  const bus = await connectAs("gateway", { url: nats.url, log: world.log });
  const cutOff = await startGateway({ ...world, bus });
  await nats.kill();
  const { status, body } = await balance(cutOff);
  expect([status, body.code, body.mode]).toEqual([503, "service_unavailable", "test"]);
  await bus.close();
  await cutOff.stop().catch(() => {});
});
