import type { SessionSnapshot } from "@collect/contracts";
import { formatNaira } from "@collect/money";
import { html } from "htm/preact";
import type { VNode } from "preact";
import { isOpen } from "../domain/freshness.ts";
import { isFollowed, stateOf } from "../domain/view.ts";
import { detailsForm, type Typed } from "./details-form.ts";
import { type Page, type Rendering, renderCard, renderPage } from "./document.ts";
import { expired, looking, paid, toPay, underpaid } from "./outcomes.ts";
import { heading } from "./parts.ts";
import { type Simulated, simulatePanel } from "./simulate-panel.ts";

/** Before the money is said to be sent somebody may be marking the account number, which a new page would undo. */
const REFRESH_SECONDS = { pending: 30, processing: 5 };

/** What the page is shown after: a form that was not right, or a simulation. */
export type After = { typed?: Typed; simulated?: Simulated };

export function renderSession(rendering: Rendering, session: SessionSnapshot, after: After = {}): string {
  return renderPage(rendering, sessionPage(session, new Date(), after));
}

/** The same card for a page that is open already: what a session looks like is said once. */
export function renderSessionCard(session: SessionSnapshot, now: Date): string {
  return renderCard(sessionPage(session, now, {}));
}

type State = { title: string; announcement: string; refreshSeconds?: number; content: VNode };

function sessionPage(session: SessionSnapshot, now: Date, { typed, simulated }: After): Page {
  const { title, announcement, refreshSeconds, content } = stateShown(session, now, typed);
  return {
    title: `${title} ${session.merchantName}`,
    isTest: session.merchant.mode === "test",
    refreshSeconds,
    card: {
      reference: session.reference,
      version: session.version,
      status: session.status,
      state: stateOf(session),
      now: now.toISOString(),
      isFollowed: isFollowed(session, now),
      announcement,
    },
    content: html`${heading(session)}${content}${simulatePanel(session, simulated)}`,
  };
}

function stateShown(session: SessionSnapshot, now: Date, typed?: Typed): State {
  const { status, amount, amountReceived } = session;
  if (isOpen(session) && session.detailsRequired) {
    const title = typed ? "Check what you typed: Pay" : "Pay";
    return { title, announcement: "Who is paying?", content: detailsForm(session, typed) };
  }
  switch (status) {
    case "pending":
      return {
        title: "Pay",
        announcement: `Send exactly ${formatNaira(amount)}.`,
        refreshSeconds: REFRESH_SECONDS.pending,
        content: toPay(session, now),
      };
    case "processing":
      return {
        title: "Looking for your transfer to",
        announcement: "Looking for your transfer.",
        refreshSeconds: REFRESH_SECONDS.processing,
        content: looking(session, now),
      };
    case "paid":
    case "paid_late":
    case "overpaid":
      return { title: "Paid:", announcement: `Paid. ${arrived(amountReceived)}`, content: paid(session, now) };
    case "underpaid": {
      const announcement = `${arrived(amountReceived)} ${formatNaira(amount - amountReceived)} is missing.`;
      return { title: "More to pay:", announcement, content: underpaid(session, now) };
    }
    case "expired":
      return { title: "Time is up:", announcement: "The time for this payment is up.", content: expired(session) };
    default:
      return status satisfies never;
  }
}

const arrived = (amount: bigint) => `${formatNaira(amount)} arrived.`;
