import { schemaDifference } from "@collect/database";
import type { World } from "@collect/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DIRECTORY, openCheckoutWorld } from "./checkout.ts";

let world: World;
beforeAll(async () => {
  world = await openCheckoutWorld();
});
afterAll(() => world.close());

test("the migrations make exactly what the schema says", async () => {
  expect(await schemaDifference({ url: world.database.owner, directory: DIRECTORY })).toEqual([]);
});
