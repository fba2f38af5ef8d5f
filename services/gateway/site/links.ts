import type { Page } from "./layout.ts";

/** The links of the pages that lead to no page, or to no heading of it, as sentences. Links to other hosts are not followed. */
export function brokenLinks(pages: Page[], others: string[]): string[] {
  const headings = new Map(pages.map(({ url, sections }) => [url, new Set(sections.map(({ id }) => id))]));
  return pages.flatMap(({ url, html }) =>
    [...html.matchAll(/<a href="([^"]*)"/g)].flatMap(([, href = ""]) => {
      if (/^(https?|mailto):/.test(href)) return [];
      const [path = "", heading] = href.split("#");
      const there = headings.get(path || url);
      const exists = heading === undefined ? there || others.includes(path) : there?.has(heading);
      return exists ? [] : [`${url} links ${href}`];
    }),
  );
}
