import MiniSearch, { type Options } from "minisearch";
import type { Page } from "./layout.ts";
import type { Section } from "./markdown.ts";

/** The index of the sections of every page, and the options that the browser reads it with. */
export function searchIndex(pages: Page[]): string {
  const index = new MiniSearch(OPTIONS);
  for (const { url, title: page, sections } of pages) index.addAll(entriesOf(url, page, sections));
  return JSON.stringify({ options: OPTIONS, index });
}

const OPTIONS: Options = {
  fields: ["title", "page", "text"],
  storeFields: ["title", "page"],
  searchOptions: { boost: { title: 3, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: "AND" },
};

/** An entry for each heading of the first two levels, with all text below it: further headings ("Response") say little alone. */
function entriesOf(url: string, page: string, sections: Section[]) {
  const entries: { id: string; page: string; title: string; text: string }[] = [];
  for (const { id, level, title, text } of sections) {
    const last = entries.at(-1);
    if (level > 2 && last) last.text += `${title} ${text}`;
    else entries.push({ id: level === 1 ? url : `${url}#${id}`, page, title, text });
  }
  return entries;
}
