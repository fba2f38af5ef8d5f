import hljs from "highlight.js/lib/common";
import MarkdownIt, { type Token } from "markdown-it";
import { z } from "zod";
import { SANDBOX_URL } from "../src/domain/endpoint.ts";

/** A page before it is rendered: its path below `/docs`, and its text. */
export type Source = { path: string; markdown: string };
/** A page as HTML, and its headings for the layout and the search. */
export type Rendered = { html: string; title: string; sections: Section[] };
/** A heading and the text below it, up to the next one. */
export type Section = { id: string; level: number; title: string; text: string };

/**
 * Renders the Markdown of the page at `url`. Its links to other pages are those between the files, so that they also work where
 * the repository is read. `targets` are the pages that inline code leads to: of an error by its code, of an operation by `GET /balance`.
 */
export function render(markdown: string, url: string, targets: ReadonlyMap<string, string>): Rendered {
  const env = { url, targets };
  const tokens = md.parse(markdown, env);
  const sections: Section[] = [];
  tokens.forEach((token, index) => {
    if (token.type === "heading_open") sections.push(sectionOf(token, tokens[index + 1], sections));
    const section = sections.at(-1);
    if (token.type === "inline" && tokens[index - 1]?.type !== "heading_open" && section)
      section.text += `${plain(token)} `;
    for (const child of token.children ?? []) resolveLink(child, url);
  });
  return { html: md.renderer.render(tokens, md.options, env), title: sections[0]?.title ?? "", sections };
}

const md = new MarkdownIt({
  // No HTML: the descriptions of the document are rendered, too.
  html: false,
  // Focusable, because it can be wider than the page and has to be scrolled by keyboard, too.
  highlight: (code, language) =>
    `<pre tabindex="0" class="${language}"><code>${highlighted(code, language)}</code></pre>`,
});
const Env = z.object({ url: z.string(), targets: z.map(z.string(), z.string()) });

// Wide tables scroll on their own, and not with the page.
md.renderer.rules.table_open = () => '<div class="table" tabindex="0"><table>\n';
md.renderer.rules.table_close = () => "</table></div>\n";
md.renderer.rules.code_inline = (tokens, index, _options, env) => {
  const { url, targets } = Env.parse(env);
  const content = tokens[index]?.content ?? "";
  const code = `<code>${md.utils.escapeHtml(content)}</code>`;
  const target = targets.get(content);
  const isLinked = tokens.slice(0, index).findLast(({ type }) => /^link_/.test(type))?.type === "link_open";
  return target && target !== url && !isLinked ? `<a href="${target}">${code}</a>` : code;
};

function highlighted(code: string, language: string): string {
  const isKnown = hljs.getLanguage(language) !== undefined;
  return isKnown ? hljs.highlight(code, { language, ignoreIllegals: true }).value : md.utils.escapeHtml(code);
}

/** A heading's id is its text, or `{#id}` at its end. */
function sectionOf(heading: Token, inline: Token | undefined, others: Section[]): Section {
  const last = inline?.children?.at(-1);
  const [given, named] = last?.content.match(/ *\{#([\w.-]+)\}$/) ?? [];
  if (last && given) last.content = last.content.slice(0, -given.length);
  const title = inline ? plain(inline) : "";
  const id = named ?? slug(title);
  if (others.some((other) => other.id === id)) throw new Error(`two headings have the id ${id}`);
  heading.attrSet("id", id);
  return { id, level: Number(heading.tag.slice(1)), title, text: "" };
}

const plain = ({ children }: Token) =>
  (children ?? []).map(({ type, content }) => (type === "softbreak" ? " " : content)).join("");

/** As GitHub does it, so that a link to a heading is the same in both places. */
const slug = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-");

const SANDBOX = new URL(SANDBOX_URL).origin;

/** `../guides/checkout.md#repeats` leads to `/docs/guides/checkout#repeats`; an address of the sandbox's gateway to this host. */
function resolveLink(child: Token, url: string): void {
  if (child.type !== "link_open") return;
  const base = `${SANDBOX}${url === "/docs" ? "/docs/" : url}`;
  const { origin, pathname, hash } = new URL(String(child.attrGet("href")), base);
  if (origin !== SANDBOX) return;
  child.attrSet("href", pathname.replace(/(\/index)?\.md$/, "") + hash);
}
