import { readFileSync } from "node:fs";
import { errorSources } from "./errors.ts";
import type { Source } from "./markdown.ts";
import { referenceSources } from "./reference.ts";

/** What the menu shows together. Pages of the last group's kind that are not named here are reached from others. */
export type Group = { title: string; paths: string[] };

/** The written pages, in the order in which they are read: `docs/{path}.md`. */
const GUIDES = [
  "guides/first-collection",
  "guides/checkout",
  "guides/checkout-js",
  "guides/webhooks",
  "guides/reconciling",
  "guides/payouts",
  "guides/testing-faults",
  "guides/keys",
  "guides/going-live",
];
const ABOUT = ["changelog", "versions"];

/** Every page of the site, and the groups of the menu. */
export function contents(): { sources: Source[]; groups: Group[] } {
  const reference = referenceSources();
  const groups = [
    { title: "Guides", paths: GUIDES },
    { title: "Reference", paths: [...reference.map(({ path }) => path), "errors"] },
    { title: "About", paths: ABOUT },
  ];
  return { sources: [...["", ...GUIDES, ...ABOUT].map(written), ...reference, ...errorSources()], groups };
}

function written(path: string): Source {
  return { path, markdown: readFileSync(new URL(`../docs/${path || "index"}.md`, import.meta.url), "utf8") };
}
