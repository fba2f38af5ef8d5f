import { expect, test } from "vitest";
import { harmless } from "../src/spreadsheet.ts";

test("text that begins like a formula becomes text, however its beginning is hidden", () => {
  const signs = ["=", "+", "-", "@", "＝", "＋", "－", "＠", "﹦", "−"];
  const hidden = ["", " ", "\t", "\r", "\n", "\u00a0", "\u200b", "\ufeff", "\u202e", "\u3000", "\u0000", " \t\r\n"];
  for (const before of hidden)
    for (const sign of signs) {
      const text = `${before}${sign}HYPERLINK("https://evil.example")`;
      expect(harmless(text), JSON.stringify(text)).toBe(`'${text}`);
    }
  for (const text of ["\tx", "\rx", "\nx"]) expect(harmless(text)).toBe(`'${text}`);
  for (const text of ["", "Ada", "a=b", "1-2", "é+", "2026-11-21", "pay_x", " Ada", "0123456789"])
    expect(harmless(text)).toBe(text);
});
