import { schemaDifference } from "@collect/database";
import { expect, test } from "vitest";
import { DIRECTORY } from "./checkout.ts";
import { useCheckoutWorld } from "./world.ts";

const world = await useCheckoutWorld();

test("the migrations create exactly the schema", async () => {
  expect(await schemaDifference({ url: world.database.owner, directory: DIRECTORY })).toEqual([]);
});
