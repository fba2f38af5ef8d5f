import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { contents } from "./contents.ts";
import { errorTargets } from "./errors.ts";
import { layOut, type Page } from "./layout.ts";
import { brokenLinks } from "./links.ts";
import { render } from "./markdown.ts";
import { referenceTargets } from "./reference.ts";
import { searchIndex } from "./search.ts";

/**
 * Writes the documentation site, which the gateway serves at /docs, to `src/generated/site`: plain files that any other host can
 * serve there, too. Part of `npm run generate`; fails if a link leads nowhere.
 */
const TARGET = new URL("../src/generated/site/", import.meta.url);
/** Served beside the site. */
const OTHERS = ["/openapi.json", "/docs/console"];

const { sources, groups } = contents();
const targets = new Map([...referenceTargets(), ...errorTargets()]);
const urlOf = (path: string) => (path ? `/docs/${path}` : "/docs");
const pages = new Map(
  sources.map(({ path, markdown }): [string, Page] => {
    const url = urlOf(path);
    return [path, { url, ...render(markdown, url, targets) }];
  }),
);
const menu = groups.map(({ title, paths }) => ({ title, pages: paths.flatMap((path) => pages.get(path) ?? []) }));
const files = new Map([...pages].map(([path, page]) => [`${path || "index"}.html`, layOut(page, menu)]));

const broken = brokenLinks([...pages.values()], OTHERS);
if (broken.length > 0) throw new Error(`links of the documentation site lead nowhere:\n${broken.join("\n")}`);

rmSync(TARGET, { recursive: true, force: true });
files.set("search.json", searchIndex([...pages.values()]));
for (const [name, text] of files) {
  const file = new URL(name, TARGET);
  mkdirSync(dirname(fileURLToPath(file)), { recursive: true });
  writeFileSync(file, text);
}
copyFileSync(new URL("browser/site.js", import.meta.url), new URL("site.js", TARGET));
const own = ["@collect/theme/tokens.css", "./browser/site.css"].map((file) => new URL(import.meta.resolve(file)));
writeFileSync(new URL("site.css", TARGET), own.map((file) => readFileSync(file, "utf8")).join("\n"));
const library = createRequire(import.meta.url)
  .resolve("minisearch")
  .replace(/dist.*$/, "dist/es/index.js");
copyFileSync(library, new URL("minisearch.js", TARGET));
