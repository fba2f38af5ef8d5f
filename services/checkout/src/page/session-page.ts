import type { SessionSnapshot } from "@collect/contracts";
import { formatNaira } from "@collect/money";
import { html } from "htm/preact";
import type { VNode } from "preact";
import { isOpen } from "../domain/freshness.ts";
import { mayChange, stateOf, timeOf } from "../domain/view.ts";
import { heading } from "./components.ts";
import { detailsForm, type FormInput } from "./details-form.ts";
import { type Page, type Rendering, renderCard, renderPage } from "./document.ts";
import { expired, looking, paid, toPay, underpaid } from "./outcomes.ts";
import { type Simulated, simulatePanel } from "./simulate-panel.ts";

/** While the session is pending the payer may be selecting the account number, which a reload would undo. */
const REFRESH_SECONDS = { pending: 30, processing: 5 };

/** What the page shows in addition: invalid form input, or the result of a simulation. */
export type PageFeedback = { input?: FormInput; simulated?: Simulated };

export function renderSession(rendering: Rendering, session: SessionSnapshot, feedback: PageFeedback = {}): string {
  return renderPage(rendering, sessionPage(session, new Date(), feedback));
}

/** The same card for a page that is already open. */
export function renderSessionCard(session: SessionSnapshot, now: Date): string {
  return renderCard(sessionPage(session, now, {}));
}

type State = { title: string; announcement: string; refreshSeconds?: number; content: VNode };

function sessionPage(session: SessionSnapshot, real: Date, { input, simulated }: PageFeedback): Page {
  const now = timeOf(session, real);
  const { title, announcement, refreshSeconds, content } = stateFor(session, now, input);
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
      mayChange: mayChange(session, now),
      announcement,
    },
    content: html`${heading(session)}${content}${simulatePanel(session, simulated)}`,
  };
}

function stateFor(session: SessionSnapshot, now: Date, input?: FormInput): State {
  const { status, amount, amountReceived } = session;
  if (isLapsed(session, now)) return { title: "Time is up:", announcement: TIME_IS_UP, content: expired(session) };
  if (isOpen(session) && session.detailsRequired) {
    const title = input ? "Check what you typed: Pay" : "Pay";
    return { title, announcement: "Who is paying?", content: detailsForm(session, input) };
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
      return { title: "Time is up:", announcement: TIME_IS_UP, content: expired(session) };
    default:
      return status satisfies never;
  }
}

const TIME_IS_UP = "The time for this payment is up.";

/** It has no account and cannot get one any more: details would be refused, whether or not payments has expired it. */
const isLapsed = ({ hasAccount, expiresAt }: SessionSnapshot, now: Date): boolean =>
  hasAccount === false && Date.parse(expiresAt) <= now.getTime();

const arrived = (amount: bigint) => `${formatNaira(amount)} arrived.`;
