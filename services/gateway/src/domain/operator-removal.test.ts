import { expect, test } from "vitest";
import { mayRemoveAlone, type Removal } from "./operator-removal.ts";

const operators = ["ada", "bola", "chi", "dayo"];
const removal = (by: string, name: string): Removal => ({ by, name });
const alone = (by: string, name: string) => ({ by, name, alone: true });
const approved = (by: string, name: string) => ({ by, name, alone: false });

test.each<[string, Removal, Partial<Parameters<typeof mayRemoveAlone>[1]>, boolean]>([
  ["the first one", removal("ada", "bola"), {}, true],
  ["oneself, even as the last", removal("ada", "ada"), { operators: ["ada"] }, true],
  ["oneself after another", removal("ada", "ada"), { lately: [alone("ada", "bola")] }, true],
  ["a second one", removal("ada", "chi"), { lately: [alone("ada", "bola")] }, false],
  ["the same one again", removal("ada", "bola"), { lately: [alone("ada", "bola")] }, false],
  ["the one who removed another", removal("chi", "ada"), { lately: [alone("ada", "bola")] }, true],
  ["one after another that two decided on", removal("ada", "chi"), { lately: [approved("ada", "bola")] }, true],
  ["one after a key of one's own", removal("ada", "bola"), { lately: [alone("ada", "ada")] }, true],
  ["one of two", removal("ada", "bola"), { operators: ["ada", "bola"] }, false],
  ["one of three", removal("ada", "bola"), { operators: ["ada", "bola", "chi"] }, true],
  [
    "one of three while another is removed",
    removal("ada", "bola"),
    { operators: ["ada", "bola", "chi"], lately: [alone("bola", "chi")] },
    false,
  ],
])("an operator removes alone: %s", (_what, wanted, given, expected) => {
  expect(mayRemoveAlone(wanted, { operators, lately: [], ...given })).toBe(expected);
});
