import { expect, test } from "vitest";
import { namesIn } from "./line-names.ts";

const [ID, OTHER] = ["trf_4vJ9JU1bJJE96FWSJKvHsm", "trf_8qbHbw2BbbTHBW1sbeqakY"];
const SESSION = "000023261122093000000000000001";
const line = (given: object) => ({ session_id: null, references: [], narration: "", ...given });

test("our ids are found among the references and in the narration, each once, and in no other word", () => {
  const narration = `NIP/${OTHER} ${ID},RTN x${ID} trf_short`;
  expect(namesIn(line({ references: [ID, "FT26"], narration })).references).toEqual([ID, OTHER]);
});

test("a session is the line's own, or where it has none any reference or long word of it", () => {
  expect(namesIn(line({ session_id: SESSION, references: ["FT26100212345"] })).sessions).toEqual([SESSION]);
  expect(namesIn(line({ references: ["FT26"], narration: "MFY260001112223 OBI" })).sessions).toEqual([
    ...["FT26", "MFY260001112223"],
  ]);
});

test("an account is a number of exactly ten digits", () => {
  expect(namesIn(line({ narration: `TRF TO 0123456789/GTB ${SESSION} 01234567890` })).accounts).toEqual(["0123456789"]);
  expect(namesIn(line({ narration: "TRF TO ADA OBI" })).accounts).toEqual([]);
});
