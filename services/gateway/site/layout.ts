import type { Rendered } from "./markdown.ts";

export type Page = Rendered & { url: string };
/** The menu, with the titles of its pages. */
export type Menu = { title: string; pages: Page[] }[];

/** A page of the site as a document. Everything can be read without JavaScript, which adds only the search and the copy buttons. */
export function layOut(page: Page, menu: Menu): string {
  const { url, title, html } = page;
  const name = url === "/docs" ? SITE : `${escaped(title)} · ${SITE}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${name}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/site.css">
<script type="module" src="/docs/site.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="home" href="/docs">${SITE}</a>
<search hidden><input type="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off"><ol hidden></ol></search>
<a class="to-menu" href="#menu">Menu</a>
</header>
<div class="columns">
<main id="content">
${html}${next(page, menu)}</main>
${headings(page)}<nav id="menu" aria-label="Documentation">
${menu.map((group) => section(group, url)).join("\n")}
</nav>
</div>
</body>
</html>
`;
}

const SITE = "Merchant Collection API";

function section({ title, pages }: Menu[number], current: string): string {
  const items = pages.map(
    ({ url, title }) =>
      `<li><a href="${url}"${url === current ? ' aria-current="page"' : ""}>${escaped(title)}</a></li>`,
  );
  return `<h2>${title}</h2>\n<ul>\n${items.join("\n")}\n</ul>`;
}

const HEADINGS_MIN = 2;

/** The headings of a longer page, where the window has room beside it. */
function headings({ sections }: Page): string {
  const shown = sections.filter(({ level }) => level === 2);
  if (shown.length < HEADINGS_MIN) return "";
  const items = shown.map(({ id, title }) => `<li><a href="#${id}">${escaped(title)}</a></li>`);
  return `<nav class="headings" aria-label="On this page">\n<h2>On this page</h2>\n<ul>\n${items.join("\n")}\n</ul>\n</nav>\n`;
}

/** The next page of the same group. */
function next({ url }: Page, menu: Menu): string {
  const { pages = [] } = menu.find(({ pages }) => pages.some((page) => page.url === url)) ?? {};
  const following = pages[pages.findIndex((page) => page.url === url) + 1];
  return following ? `<p class="next">Next: <a href="${following.url}">${escaped(following.title)}</a></p>\n` : "";
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
