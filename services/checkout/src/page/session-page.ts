import type { SessionSnapshot } from "@collect/contracts";
import { formatNaira } from "@collect/money";
import { html } from "htm/preact";
import type { VNode } from "preact";
import type { BrandedSession } from "../domain/branding.ts";
import { isOpen } from "../domain/freshness.ts";
import { mayChange, stateOf, timeOf } from "../domain/view.ts";
import { detailsForm, type FormInput } from "./details-form.ts";
import { type Page, type Rendering, renderCard, renderPage } from "./document.ts";
import { beside, heading, purpose, type Step, steps, uncheckedPurpose } from "./frame.ts";
import {
  CHECKS_AFTER_MS,
  expired,
  isTopUpOpen,
  looking,
  paid,
  takenBack,
  toPay,
  underpaid,
  waitedMs,
} from "./outcomes.ts";
import { excessOf, isTakenBack } from "./receipt.ts";
import { type Simulated, simulatePanel } from "./simulate-panel.ts";
import { CHECKING, DETAILS, EXPIRED, PAID, PAY, TAKEN_BACK, UNDERPAID } from "./texts.ts";

/**
 * While the session is pending the payer may be selecting the account number, and later may be reading what to check: a
 * reload would undo that.
 */
const REFRESH_SECONDS = { pending: 30, processing: 5, waitingLong: 30 };

/** What the page shows in addition: invalid form input, or the result of a simulation. */
export type PageFeedback = { input?: FormInput; simulated?: Simulated };

export function renderSession(rendering: Rendering, session: BrandedSession, feedback: PageFeedback = {}): string {
  return renderPage(rendering, sessionPage(session, new Date(), feedback));
}

/** The same card for a page that is already open. */
export function renderSessionCard(session: BrandedSession, now: Date): string {
  return renderCard(sessionPage(session, now, {}));
}

type State = { title: string; announcement: string; step?: Step; refreshSeconds?: number; content: VNode };

function sessionPage(session: BrandedSession, real: Date, { input, simulated }: PageFeedback): Page {
  const now = timeOf(session, real);
  const { title, announcement, step, refreshSeconds, content } = stateFor(session, now, input);
  const isFromMerchant = session.openedBy !== "public_key";
  return {
    title,
    isTest: session.merchant.mode === "test",
    refreshSeconds,
    branding: session.branding,
    card: {
      reference: session.reference,
      version: session.version,
      status: session.status,
      state: stateOf(session),
      now: now.toISOString(),
      mayChange: mayChange(session, now),
      announcement,
    },
    content: html`
      <div class="flow">
        ${heading(session, isFromMerchant && purpose(session.description))}
        ${!isFromMerchant && uncheckedPurpose(session)}
        ${step && steps(step)}
        ${content}
        ${simulatePanel(session, simulated)}
      </div>
      ${beside(session, isPayable(session, now))}
    `,
  };
}

function stateFor(session: SessionSnapshot, now: Date, input?: FormInput): State {
  if (isLapsed(session, now)) return ended(session);
  if (isOpen(session) && session.detailsRequired) {
    const title = DETAILS.title(session.merchantName, input !== undefined && input.invalid.size > 0);
    return { title, announcement: DETAILS.heading, step: "pay", content: detailsForm(session, input) };
  }
  switch (session.status) {
    case "pending":
      return {
        title: PAY.title(session.merchantName),
        announcement: PAY.announcement(formatNaira(session.amount)),
        step: "pay",
        refreshSeconds: REFRESH_SECONDS.pending,
        content: toPay(session, now),
      };
    case "processing":
      return {
        title: CHECKING.title(session.merchantName),
        announcement: CHECKING.announcement,
        step: "checking",
        refreshSeconds:
          waitedMs(session, now) < CHECKS_AFTER_MS ? REFRESH_SECONDS.processing : REFRESH_SECONDS.waitingLong,
        content: looking(session, now),
      };
    case "paid":
    case "paid_late":
    case "overpaid":
    case "underpaid":
      return arrived(session, now);
    case "expired":
      return ended(session);
    default:
      return session.status satisfies never;
  }
}

function arrived(session: SessionSnapshot, now: Date): State {
  const { status, merchantName, amount, amountReceived, amountReversed } = session;
  if (amountReversed && isTakenBack(session)) {
    const announcement = TAKEN_BACK.announcement(formatNaira(amountReversed));
    return { title: TAKEN_BACK.title(merchantName), announcement, content: takenBack(session, amountReversed) };
  }
  const received = formatNaira(amountReceived);
  if (status === "underpaid") {
    const announcement = UNDERPAID.announcement(received, formatNaira(amount - amountReceived));
    const title = UNDERPAID.title(merchantName);
    return { title, announcement, ...(isTopUpOpen(session, now) && { step: "pay" }), content: underpaid(session, now) };
  }
  const excess = excessOf(session);
  const announcement = [
    PAID.announcement(received),
    ...(amountReversed ? [TAKEN_BACK.announcement(formatNaira(amountReversed))] : []),
    ...(excess > 0n ? [PAID.excess(formatNaira(excess))] : []),
  ].join(" ");
  return { title: PAID.title(merchantName), announcement, step: "paid", content: paid(session, now) };
}

function ended(session: SessionSnapshot): State {
  return { title: EXPIRED.title(session.merchantName), announcement: `${EXPIRED.heading}.`, content: expired(session) };
}

/** It waits for details, which would be refused by now, whether or not payments has expired it. */
const isLapsed = (session: SessionSnapshot, now: Date): boolean =>
  isOpen(session) && session.detailsRequired && Date.parse(session.expiresAt) <= now.getTime();

const isPayable = (session: SessionSnapshot, now: Date): boolean =>
  (isOpen(session) && !isLapsed(session, now)) || isTopUpOpen(session, now);
