import { expect, test } from "vitest";
import { Name } from "../src/fields.ts";

const problemOf = (name: string) => Name.safeParse(name).error?.issues[0]?.message;

test.each([
  "Bánkọ́lé Adébáyọ̀",
  "Ẹ̀gbọ́n Ṣadé",
  "O’Brien & Sons (Lagos) Ltd.",
  "Nwa'eze-Obi",
  "متجر آدا",
  "می‌خواهم",
  "क्‍ष स्टोर",
  "שלום",
  "株式会社",
  "Ada 🛒",
  "👩🏽‍🍳 Kitchen",
  "❤️‍🔥 Grill",
  "Shop 1️⃣",
])("an honest name stays as it is: %s", (name) => {
  expect(Name.parse(name)).toBe(name.normalize("NFC"));
});

test.each([
  ["a right-to-left override", "Ada\u202EknaB"],
  ["an isolate", "Ada \u2066Bank\u2069"],
  ["a direction mark", "Ada\u200F"],
  ["a zero-width space", "Harbour\u200BBank"],
  ["a zero-width joiner between Latin letters", "Harb\u200Dour"],
  ["a zero-width non-joiner between Latin letters", "Harb\u200Cour"],
  ["a word joiner", "Harbour\u2060Bank"],
  ["a byte order mark", "Ada\uFEFFStores"],
  ["a soft hyphen", "Har\u00ADbour"],
  ["tag characters", "Ada\u{E0042}\u{E0061}"],
  ["a Hangul filler", "Ada\u3164"],
  ["a braille blank", "Ada\u2800"],
  ["a variation selector after a letter", "Ada\uFE0F"],
  ["a variation selector after a digit", "Shop 1\uFE0F"],
  ["a combining grapheme joiner", "A\u034Fda"],
])("a name with %s is refused, and the message says what to do", (_what, name) => {
  expect(problemOf(name)).toMatch(/^must not contain invisible characters .* type it again without them$/);
});
