import { schemaDifference } from "@collect/database";
import type { World } from "@collect/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DIRECTORY, startCheckoutWorld } from "./checkout.ts";

let world: World;
beforeAll(async () => {
  world = await startCheckoutWorld();
});
afterAll(() => world.close());

test("the migrations create exactly the schema", async () => {
  expect(await schemaDifference({ url: world.database.owner, directory: DIRECTORY })).toEqual([]);
});
