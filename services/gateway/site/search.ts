import MiniSearch, { type Options } from "minisearch";
import type { Page } from "./layout.ts";

/** The index of every section of every page, and the options that the browser reads it with. */
export function searchIndex(pages: Page[]): string {
  const index = new MiniSearch(OPTIONS);
  for (const { url, title: page, sections } of pages) {
    index.addAll(
      sections.map(({ id, level, title, text }) => ({ id: level === 1 ? url : `${url}#${id}`, page, title, text })),
    );
  }
  return JSON.stringify({ options: OPTIONS, index });
}

const OPTIONS: Options = {
  fields: ["title", "page", "text"],
  storeFields: ["title", "page"],
  searchOptions: { boost: { title: 3, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: "AND" },
};
