import { html } from "htm/preact";
import type { VNode } from "preact";

/**
 * Every text that a payer reads, in short sentences. Errors say what happened, what it means for the money, and what to
 * do next. Strings where only text fits (titles, attributes); elsewhere the names of merchants and banks are isolated,
 * because they may be written from right to left.
 */

const named = (name: string): VNode => html`<bdi>${name}</bdi>`;
const inLagos = (time: VNode): VNode => html`${time} Lagos time`;

export const PAGE = {
  testMode: "Test mode: no real money moves. Do not send any from your bank.",
  testModeLabel: "Test mode",
  offline: "You seem to be offline. This page updates by itself once you are back.",
  unsent: "We didn't get that. Press again in a moment.",
  never: "This page never asks for a card, a PIN, an OTP or a password.",
  bank: (bank: string) => html`Partner bank: ${named(bank)}. You pay from your own bank's app.`,
  questions: (merchant: string) => html`Questions? Ask ${named(merchant)}:`,
  unchecked: (merchant: string) => html`Note from the website you came from, not checked by ${named(merchant)}`,
  steps: "Steps",
  step: { pay: "Pay", checking: "Checking", paid: "Paid" },
  stepDone: "Done: ",
  phone: "Pay with your phone?",
  phoneHow: "Scan this code to open this page there.",
  code: "QR code with the address of this page",
  back: (merchant: string) => html`Back to ${named(merchant)}`,
  backToLink: (merchant: string) => html`Back to the payment link of ${named(merchant)}`,
  closeWindow: "Close this window",
  checkAgain: "Check again",
  copy: "Copy",
  copied: "Copied",
  copiedWhat: (what: string) => `${what} copied.`,
  notCopied: "This browser can't copy. Press and hold the text to copy it.",
};

export const TERMS = {
  amount: "Amount",
  bank: "Bank",
  accountNumber: "Account number",
  accountName: "Account name",
  toPay: "To pay",
  arrived: "Arrived",
  missing: "Missing",
  tooMuch: "Too much",
  takenBack: "Taken back",
  left: "Left",
  paidTo: "Paid to",
  purpose: "For",
  time: "Time",
  reference: "Reference",
};

export const PAY = {
  title: (merchant: string) => `Pay ${merchant}`,
  announcement: (amount: string) => `Send exactly ${amount}.`,
  sendExactly: "Send exactly",
  include: (kobo: string) => `Include the ${kobo}: a different amount can't be matched automatically.`,
  afterwards: "After you send it",
  sent: "I've sent the money",
  held: (time: VNode, left: VNode | null) => html`This amount is held for you until ${inLagos(time)}${left}.`,
  wasHeld: (time: VNode) => html`This amount was held for you until ${inLagos(time)}.`,
  left: (remaining: VNode) => html` (${remaining})`,
  minutes: (minutes: number) => `${minutes}\u00a0min`,
  copyAll: "Copy all details",
  allDetails: "All details",
  share: "Share",
  shared: (merchant: string) => `Pay ${merchant}`,
};

export const DETAILS = {
  title: (merchant: string, isRefused: boolean) => `${isRefused ? "Check what you typed: " : ""}Pay ${merchant}`,
  heading: "Who is paying?",
  why: (merchant: string) => html`${named(merchant)} needs your name and email to know who paid, and to reach you.`,
  next: "Next, you see the account to pay into.",
  madeExact: "We will make the amount exact: we add 1 to 99 kobo, so that your transfer is recognized.",
  full: "Many people are paying this amount right now, so we can't start your payment yet. Don't send any money. Press Continue again in a few minutes, or use another network.",
  busy: "Many people are paying right now. Your device does a short check, then this page continues by itself.",
  busyWithoutScript: "The check needs JavaScript. Turn it on and press Continue, or try again in an hour.",
  submit: "Continue",
};

export const FIELDS = {
  name: { label: "Your name", mistake: "Enter your name, up to 100 characters." },
  email: { label: "Your email address", mistake: "Enter an email address, such as name@example.com." },
  amount: {
    label: "Amount in naira",
    hint: "For example 2,500 or 2,500.50",
    mistake: "Enter an amount in naira, such as 2,500 or 2,500.50.",
  },
  tooMuch: "That is more than can be paid at once. Enter a smaller amount.",
};

export const CHECKING = {
  title: (merchant: string) => `Looking for your transfer to ${merchant}`,
  announcement: "Looking for your transfer.",
  heading: "Looking for your transfer…",
  usually: "Banks usually take under a minute.",
  leave: "You can leave this page and come back to it.",
  elapsed: (time: VNode) => html`Waiting for ${time}`,
  details: "What you send",
  notYet: "Not there yet? Check these four",
  checks: (amount: string, kobo: string) => [
    `You sent exactly ${amount}, with the ${kobo}.`,
    "You sent it to the account number below.",
    "Your bank's app says successful, not pending.",
    "Your bank has not returned the money to you.",
  ],
  safe: (merchant: string) =>
    html`All four are right? Then wait, and don't send again. Your money is safe, and ${named(merchant)} sees it when it arrives.`,
};

export const PAID = {
  title: (merchant: string) => `Paid: ${merchant}`,
  announcement: (arrived: string) => `Paid. ${arrived} arrived.`,
  excess: (excess: string) => `You sent ${excess} too much.`,
  heading: "Paid",
  late: "It arrived after the time was up. It still counts.",
  tooMuch: (merchant: string) => html`${named(merchant)} knows. Ask them about the difference.`,
  closed: (merchant: string) => html`${named(merchant)} knows. You can close this page.`,
  return: (merchant: string) => html`Return to ${named(merchant)}`,
  receipt: "Receipt",
  save: "Save receipt",
  print: "Print",
  time: (time: VNode) => html`${time}, Lagos time`,
};

export const UNDERPAID = {
  title: (merchant: string) => `More to pay: ${merchant}`,
  announcement: (arrived: string, missing: string) => `${arrived} arrived. ${missing} is missing.`,
  safe: "What arrived is safe. Send the rest to the same account.",
  sendExactly: "Send the rest, exactly",
  until: (time: VNode, left: VNode | null) => html`You can send the rest until ${inLagos(time)}${left}.`,
  heading: "Part of the money is missing",
  over: "The time to send the rest is up.",
  shared: "Don't send the rest to this account: it can't be matched there.",
  ask: (merchant: string) => html`${named(merchant)} knows what arrived. Ask them what to do next.`,
};

export const TAKEN_BACK = {
  title: (merchant: string) => `Taken back: ${merchant}`,
  announcement: (amount: string) => `The bank took back ${amount}.`,
  heading: "The bank took money back",
  ask: (merchant: string) =>
    html`It arrived, and the bank took it back later. Don't send it again: ask your bank where it is, and ${named(merchant)} what to do next.`,
};

export const EXPIRED = {
  title: (merchant: string) => `Time is up: ${merchant}`,
  heading: "The time for this payment is up",
  sent: (merchant: string) =>
    html`If you have already sent it, don't send again: it will still be credited and ${named(merchant)} will be told.`,
  notSent: (merchant: string) => html`If you have not sent it, ask ${named(merchant)} for a new payment link.`,
  notSentStart: "If you have not sent it, start again. You get a new amount to send.",
  nothing: "There is nothing to send.",
  nothingAsk: (merchant: string) =>
    html`There is nothing to send. Start again from the website of ${named(merchant)}, or ask them for a new payment link.`,
  startAgain: "Start again",
};

export const LINK = {
  heading: "Your details",
  closed: {
    disabled: "This link is closed",
    expired: "This link has ended",
    used_up: "This link has been used up",
    held: "Other people are paying now",
  },
  closedTitle: (reason: string, merchant: string) => `${reason}: ${merchant}`,
  nothingMore: (merchant: string) => html`It can't take payments anymore. Ask ${named(merchant)} for another link.`,
  sentAlready: (merchant: string) =>
    html`If you have already sent money, it is safe: it will be credited and ${named(merchant)} will be told. Don't send it again.`,
  held: "This link can't take another payment while others are under way. One of them may be yours. If you have seen the account to pay into, go back to that page: your payment is still open there, and nothing is lost.",
  heldNotYours: "If not, don't send any money. Try again later: a place may become free within half an hour.",
  known: {
    open: (time: VNode) => ({
      heading: "You have a payment here",
      text: html`It was started on this device at ${inLagos(time)}.`,
      go: "Go to your payment",
    }),
    paid: (time: VNode) => ({
      heading: "You paid here",
      text: html`It was paid at ${inLagos(time)}.`,
      go: "See your receipt",
    }),
    expired: (time: VNode) => ({
      heading: "You had a payment here",
      text: html`It was started at ${inLagos(time)}, and its time is up. If you have already sent the money, don't send it again.`,
      go: "See what happened",
    }),
  },
  notYou: "Not yours, or do you want to pay again? Start a new payment below.",
};

export const SIMULATE = {
  heading: "Simulate the transfer",
  why: "Only in test mode: see what happens without a bank.",
  outcomes: { paid: "Paid", underpaid: "Underpaid", overpaid: "Overpaid", expired: "Expired" },
  shared:
    "If many payers share this account, only the exact amount is matched to this payment. Any other amount is credited to the business separately.",
  expired: "Simulated: expired.",
  result: (outcome: string) =>
    `Simulated: ${outcome}. If this page doesn't change, the money was credited to the business separately, not matched to this payment.`,
};

/** Instead of a problem document. */
export const NOTICES = {
  blocked: [
    "This business can't take payments now",
    "Don't send money to it for this payment. Ask the business what to do next.",
    "If you have already sent money, it is safe: it will be credited to the business. Keep your bank's receipt.",
  ],
  unknown: [
    "We can't find this payment",
    "Check the link, or ask the business that sent it to you for a new one.",
    "If you have already sent money, don't send it again. Keep your bank's receipt and show it to the business.",
  ],
  tooMany: [
    "Too many attempts",
    "This page was opened too many times in a short while. Wait a minute, then load it again.",
    "If you have already sent money, it is safe: it will be credited whether this page is open or not.",
  ],
  down: [
    "We can't show this payment right now",
    "Wait a minute, then load this page again.",
    "If you have already sent money, it is safe: it will be credited and the business will be told. Don't send it again.",
  ],
  refused: [
    "That didn't work",
    "Go back to the payment page and try again from there.",
    "Nothing was changed. If you have already sent money, it is safe, and you don't need to send it again.",
  ],
} as const;
