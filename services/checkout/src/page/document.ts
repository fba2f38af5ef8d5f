import { html } from "htm/preact";
import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { ICON, SCRIPTS, STYLE } from "./assets.ts";

/** What the script has to know of a session's card. It takes nothing else from the page. */
export type LiveCard = {
  reference: string;
  version: number;
  status: string;
  /** Two cards of one state say the same, but for the time that is left. */
  state: string;
  now: string;
  /** Whether anything that may still happen to the session is waited for. */
  isFollowed: boolean;
  /** What is told, politely, to those who cannot see the card change. */
  announcement: string;
};

export type Page = {
  title: string;
  isTest?: boolean;
  /** Without script the page asks for itself again after so many seconds. Null where somebody may be typing, or nothing is awaited. */
  refreshSeconds?: number | null;
  card?: LiveCard;
  content: VNode;
};

/** What an answer is rendered with beside its page: the nonce that lets it, and nothing else, load our script and style. */
export type Rendering = { nonce: string };

const TEST_MODE = "Test mode: no real money moves. Do not send any from your bank.";

/** A whole document. Everything that is put into a template comes out as text: escaping is the renderer's, nowhere ours. */
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

/** The card alone, with the title that goes with it: what an open page is sent when the session has changed. */
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
      data-followed=${card?.isFollowed ? "" : undefined}
      data-announcement=${card?.announcement}
    >
      ${content}
    </main>
  `;
}
