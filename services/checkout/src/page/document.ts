import { html } from "htm/preact";
import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { ICON, SCRIPTS, STYLE } from "./assets.ts";

/** The data of a session's card for the script, which reads nothing else from the page. */
export type LiveCard = {
  reference: string;
  version: number;
  status: string;
  /** Cards with the same state look the same, except for the remaining time. */
  state: string;
  now: string;
  /** Whether the session may still change. */
  mayChange: boolean;
  /** The text for screen readers when the card changes. */
  announcement: string;
};

export type Page = {
  title: string;
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

const TEST_MODE = "Test mode: no real money moves. Do not send any from your bank.";

/** A whole document. All interpolated values are escaped by the renderer, never by our code. */
export function renderPage({ nonce }: Rendering, page: Page): string {
  const { title, isTest = false, refreshSeconds = null } = page;
  const document = html`
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        ${refreshSeconds !== null && html`<noscript><meta http-equiv="refresh" content=${refreshSeconds} /></noscript>`}
        <title>${title}</title>
        <link rel="icon" href=${ICON} />
        <style nonce=${nonce} dangerouslySetInnerHTML=${{ __html: STYLE }} />
        ${SCRIPTS.map((src) => html`<script type="module" nonce=${nonce} src=${src}></script>`)}
      </head>
      <body>
        ${isTest && html`<aside class="test" aria-label="Test mode">${TEST_MODE}</aside>`}
        ${main(page)}
        <p id="connection" class="connection" role="alert" hidden>
          You seem to be offline. This page catches up by itself once you are back.
        </p>
        <p id="announcement" class="unseen" role="status"></p>
        <footer>You pay from your own bank's app. This page never asks for a card, a PIN or a password.</footer>
      </body>
    </html>
  `;
  return `<!doctype html>${renderToString(document)}`;
}

/** The card with its title: what is streamed to an open page when the session changes. */
export function renderCard(page: Page): string {
  return renderToString(html`<title>${page.title}</title>`) + renderToString(main(page));
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
