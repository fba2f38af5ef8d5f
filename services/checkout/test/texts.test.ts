import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const PAGE = new URL("../src/page/", import.meta.url);
/** Comments, and problem documents, which are for programs. */
const UNREAD = /\/\*.*?\*\/|\/\/.*?$|new Problem\(.*?\)/gms;
const sourcesOf = (folder: URL, ending: string) =>
  readdirSync(folder)
    .filter((file) => file.endsWith(ending) && !["texts.ts", "checkout.js", "proof.js"].includes(file))
    .map((file) => ({
      file,
      text: readFileSync(new URL(file, folder), "utf8").replaceAll(UNREAD, ""),
    }));

/** Words between tags or in attributes that are read out, and string literals with more than a word. */
const WORDS = />\s*[A-Z][a-z'’]+[^<>`${}]*<|(?:alt|title|aria-label)="[^"]+"|["`][A-Z][a-z']+ [a-z]+/g;

test("every text of the page is in texts.ts: no template and no script has words of its own", () => {
  expect("<p>Pay now</p>".match(WORDS)).toHaveLength(1);
  expect('<img alt="a cat" />'.match(WORDS)).toHaveLength(1);
  expect('say("Press and hold")'.match(WORDS)).toHaveLength(1);
  const sources = [...sourcesOf(PAGE, ".ts"), ...sourcesOf(new URL("browser/", PAGE), ".js")];
  expect(sources.length).toBeGreaterThan(15);
  for (const { file, text } of sources) expect(text.match(WORDS) ?? [], file).toEqual([]);
});
