import { schemaDifference } from "@collect/database";
import { freshDatabase } from "@collect/testing";
import { expect, test } from "vitest";
import { directory } from "./world.ts";

test("the migrations create exactly the schema", async () => {
  const database = await freshDatabase({ service: "statements", directory });
  try {
    expect(await schemaDifference({ url: database.owner, directory })).toEqual([]);
  } finally {
    await database.drop();
  }
});
