import { connectBus, createSeed, publicKeyOf } from "@collect/bus";
import { createMerchant, listOperators, removeOperator } from "@collect/contracts";
import { brokerAt, until } from "@collect/testing";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { startGateway, useGateway } from "./gateway.ts";
import { codeOf } from "./people.ts";

const NAMES = ["ada", "bola", "chi", "dayo", "efe"] as const;
const seeds = Object.fromEntries(NAMES.map((name) => [name, createSeed()]));
const OPERATORS = Object.entries(seeds).map(([name, seed]) => `${name}:${publicKeyOf(seed)}`);
const SETTINGS = { FOUR_EYES: "true", OPERATORS: OPERATORS.join(",") };
const { world } = await useGateway(SETTINGS);

const BROKER = { ...brokerAt(world.natsUrl, "operator"), name: "operator" as const, log: world.log };
const buses = await Promise.all(Object.values(seeds).map((operatorSeed) => connectBus({ ...BROKER, operatorSeed })));
afterAll(() => Promise.all(buses.map((bus) => bus.close())));
function as(name: (typeof NAMES)[number]) {
  const bus = buses[NAMES.indexOf(name)];
  if (!bus) throw new Error(`${name} is no operator`);
  return bus;
}
const present = async () =>
  (await as("ada").request(listOperators, {})).operators
    .filter(({ removed_at }) => !removed_at)
    .map(({ name }) => name);
const outcomes = async (attempts: Promise<unknown>[]) => (await Promise.all(attempts.map(codeOf))).sort();

test("a stolen credential removes one operator and not a second, however fast, and another operator ends it at once", async () => {
  // Two replicas wait for the log at the same moment. Which one gets an order is chance, so it goes on until both have one.
  const second = await startGateway(world, SETTINGS);
  onTestFinished(second.stop);
  const log = await world.owner.connect();
  await log.query("begin");
  await log.query("select pg_advisory_xact_lock(hashtextextended('audit ', 0))");
  const steal = NAMES.slice(1).map((name) => as("ada").request(removeOperator, { name }));
  await until("two wait", async () => {
    steal.push(as("ada").request(removeOperator, { name: "efe" }));
    const { rows } = await log.query(
      "select count(*)::int as waiting from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())",
    );
    return rows[0].waiting >= 2;
  });
  await log.query("commit");
  log.release();
  expect(await outcomes(steal)).toEqual([...Array(steal.length - 1).fill("approval_required"), "fulfilled"]);
  const [saved = "bola"] = (await present()).filter((name) => name !== "ada");
  const rescuer = as(NAMES.find((name) => name === saved) ?? "bola");
  expect(await rescuer.request(removeOperator, { name: "ada" })).toEqual({ removed: 1 });
  expect(await codeOf(as("ada").request(createMerchant, { name: "Ada Stores" }))).toBe("invalid_operator");

  // Three are left. The next one who removes another leaves two, and none of those can end the other alone.
  const left = (await present()).filter((name) => name !== saved);
  const [next, last] = [NAMES.find((name) => name === left[0]), NAMES.find((name) => name === left[1])];
  if (!next || !last) throw new Error("too few operators are left");
  const refused = await rescuer.request(removeOperator, { name: next }).catch((error) => error);
  expect(refused).toMatchObject({ code: "approval_required" });
  const proposal = refused.detail.split(" ").at(-1);
  expect(await as(last).request(removeOperator, { name: next }, { proposal })).toEqual({ removed: 1 });
  expect(await codeOf(as(last).request(removeOperator, { name: saved }))).toBe("approval_required");
  expect((await present()).sort()).toEqual([saved, last].sort());

  // Every operator may remove themself.
  expect(await as(last).request(removeOperator, { name: last })).toEqual({ removed: 1 });
  expect(await present()).toEqual([saved]);
});
