import { html } from "htm/preact";
import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { STYLESHEET } from "./stylesheet.ts";

export type Page = {
  title: string;
  isTest?: boolean;
  /** The page asks for itself again after this many seconds. Null where somebody may be typing, or nothing is awaited. */
  refreshSeconds?: number | null;
  content: VNode;
};

/** A whole document. Everything that is put into a template comes out as text: escaping is the renderer's, nowhere ours. */
export function renderPage({ title, isTest = false, refreshSeconds = null, content }: Page): string {
  const document = html`
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        ${refreshSeconds !== null && html`<meta http-equiv="refresh" content=${refreshSeconds} />`}
        <title>${title}</title>
        <link rel="stylesheet" href=${STYLESHEET} />
      </head>
      <body>
        ${isTest && html`<p class="test">Test mode: no real money moves. Do not send any from your bank.</p>`}
        <main>${content}</main>
        <footer>You pay from your own bank's app. This page never asks for a card, a PIN or a password.</footer>
      </body>
    </html>
  `;
  return `<!doctype html>${renderToString(document)}`;
}
