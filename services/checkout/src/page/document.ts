import type { Branding } from "@collect/contracts";
import { html } from "htm/preact";
import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { brandColors } from "../domain/brand-colors.ts";
import { ICON, SCRIPTS, STYLE } from "./assets.ts";
import { PAGE } from "./texts.ts";

/** The data of a session's card for the script, which reads nothing else from the page. */
export type LiveCard = {
  reference: string;
  version: number;
  status: string;
  /** Cards with the same state look the same, except for the times. */
  state: string;
  now: string;
  /** Whether the session may still change. */
  mayChange: boolean;
  /** The text for screen readers when the card changes. */
  announcement: string;
};

export type Page = {
  title: string;
  /** Of the page's merchant, if it has one. */
  branding?: Branding;
  isTest?: boolean;
  /**
   * Without script the page reloads after this many seconds. Null while it shows a form, or when nothing can change.
   */
  refreshSeconds?: number | null;
  card?: LiveCard;
  content: VNode;
};

/** The nonce of the response, which allows only our script and style. */
export type Rendering = { nonce: string };

/** A whole document. All interpolated values are escaped by the renderer, never by our code. */
export function renderPage({ nonce }: Rendering, page: Page): string {
  const { refreshSeconds = null } = page;
  const scripts = SCRIPTS.map((src) => html`<script type="module" nonce=${nonce} src=${src}></script>`);
  const refresh =
    refreshSeconds !== null && html`<noscript><meta http-equiv="refresh" content=${refreshSeconds} /></noscript>`;
  return renderDocument(
    page,
    html`
    ${refresh}
    <link rel="icon" href=${ICON} />
    <style nonce=${nonce} dangerouslySetInnerHTML=${{ __html: styleOf(page) }} />
    ${scripts}
  `,
  );
}

/** The same as a file: it needs nothing but itself, and does nothing. */
export function renderFile(page: Page): string {
  return renderDocument(page, html`<style dangerouslySetInnerHTML=${{ __html: styleOf(page) }} />`);
}

/** The card with its title: what is streamed to an open page when the session changes. */
export function renderCard(page: Page): string {
  return renderToString(html`<title>${page.title}</title>`) + renderToString(main(page));
}

function renderDocument(page: Page, head: VNode): string {
  const document = html`
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${page.title}</title>
        ${head}
      </head>
      <body>
        ${page.isTest && html`<aside class="test" aria-label=${PAGE.testModeLabel}>${PAGE.testMode}</aside>`}
        ${main(page)}
        <p id="unsent" class="connection" role="alert" hidden>${PAGE.unsent}</p>
        <p id="connection" class="connection" role="alert" hidden>${PAGE.offline}</p>
        <p id="announcement" class="unseen" role="status" data-copied=${PAGE.copied} data-failed=${PAGE.notCopied}></p>
      </body>
    </html>
  `;
  return `<!doctype html>${renderToString(document)}`;
}

/** A merchant's color is only ever six digits in here. */
function styleOf({ branding }: Page): string {
  const colors = brandColors(branding?.color);
  if (!colors) return STYLE;
  const { brand, onBrand, accent } = colors;
  const light = `:root{--brand:${brand};--on-brand:${onBrand};--accent:${accent.light}}`;
  return `${STYLE}${light}@media (prefers-color-scheme:dark){:root{--accent:${accent.dark}}}`;
}

function main({ card, content }: Page): VNode {
  return html`
    <main
      data-reference=${card?.reference}
      data-version=${card?.version}
      data-status=${card?.status}
      data-state=${card?.state}
      data-now=${card?.now}
      data-followed=${card?.mayChange ? "" : undefined}
      data-announcement=${card?.announcement}
    >
      ${content}
    </main>
  `;
}
