import { browseCollections, browseTransfers } from "@collect/contracts";
import { expect, test } from "vitest";
import { cellsOf, columnsOf, rowOf } from "./cells.ts";

test("every list of contracts gives flat columns under the names of its fields", () => {
  const names = columnsOf(rowOf(browseCollections.output)).map(({ name }) => name);
  expect(names).toContain("payer_account_number");
  expect(names.slice(0, 3)).toEqual(["reference", "amount", "fee"]);
  expect(new Set(names).size).toBe(names.length);
  expect(columnsOf(rowOf(browseTransfers.output)).length).toBeGreaterThan(5);
});

test("numbers of ours stay numbers, negative ones too; a number that a person typed is text", () => {
  const columns = ["n", "t", "b", "none", "list"].map((name) => ({ name, path: [name] }));
  expect(cellsOf({ n: -5.25, t: "-5.25", b: true, none: null, list: ["=1"] }, columns)).toEqual([
    -5.25,
    "'-5.25",
    "true",
    "",
    '["=1"]',
  ]);
});
