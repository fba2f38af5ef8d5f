import { randomInt } from "node:crypto";
import { answer, type Request, serveRequests } from "@collect/bus";
import {
  type Branding,
  checkPublicKey,
  getLogo,
  givePayerDetails,
  type Merchant,
  NO_BRANDING,
  openLinkPayment,
  openPublicPayment,
  Problem,
  type Result,
  readSessions,
  reportSent,
  type SessionSnapshot,
  sandboxPay,
  showPaymentLink,
  UNASSIGNED_ACCOUNT,
} from "@collect/contracts";
import { randomId, startComponents, type World } from "@collect/testing";
import { aSession, BASE58, type Link, paid } from "./checkout.ts";

/** Fake payments, accounts and gateway services: real responders on the bus that record their requests. */
export async function startFakeServices({ others, log }: World) {
  const state = newState();
  const { sessions, brandings, logos, reads, requests, keys, links, closing, suspended, behavior } = state;
  const serve = () =>
    startComponents([
      serveRequests(others, {
        service: "payments",
        log,
        requests: [...sessionRequests(state), openPublic(state), ...linkRequests(state), serveLogos(state)],
      }),
      serveRequests(others, { service: "accounts", log, requests: [sandbox(state)] }),
      serveRequests(others, { service: "gateway", log, requests: [publicKeys(state)] }),
    ]);
  let stopServing = await serve();
  return {
    sessions,
    /** By merchant. */
    brandings,
    /** By the SHA-256 of their bytes. */
    logos,
    reads,
    requests,
    keys,
    links,
    /** Links that expire at the moment of the next payment. */
    closing,
    /** Links of suspended merchants. */
    suspended,
    behavior,
    /** Adds sessions to payments. */
    addSessions: (...added: SessionSnapshot[]) => {
      for (const session of added) sessions.set(session.reference, session);
    },
    /** A merchant with a public key, known to the gateway. */
    aKey(mode: "test" | "live" = "test"): { key: string; merchant: Merchant } {
      const merchant = { id: randomId("mer"), mode, name: "Ada Stores" };
      const random = Array.from({ length: 38 }, () => BASE58[randomInt(58)]).join("");
      const key = `pk_${mode}_${random}`;
      keys.set(key, merchant);
      return { key, merchant };
    },
    stop: () => stopServing(),
    /** Serves again after a stop, with what it knew. */
    async restart() {
      stopServing = await serve();
    },
  };
}
export type FakeServices = Awaited<ReturnType<typeof startFakeServices>>;

type Warnings = { param: string; code: string; message: string }[];
export const NOTHING_KEPT = {
  ...{ merchantReference: null, customerReference: null, customerName: null, payerName: null, payerEmail: null },
  ...{ sentAt: null, paymentLink: null, linkKey: null },
};

const newState = () => ({
  sessions: new Map<string, SessionSnapshot>(),
  brandings: new Map<string, Branding>(),
  logos: new Map<string, Result<typeof getLogo>>(),
  details: new Map<string, string>(),
  keys: new Map<string, Merchant>(),
  links: new Map<string, Link>(),
  closing: new Set<string>(),
  linkPayments: new Map<string, SessionSnapshot>(),
  reads: [] as { at: number; references: string[] }[],
  requests: [] as { subject: string; input: Record<string, unknown> }[],
  suspended: new Set<string>(),
  behavior: {
    readsMax: 500,
    respondAfter: Promise.resolve(),
    checkoutHost: "http://localhost:4100",
    warnings: [] as Warnings,
    isFull: false,
  },
});
type State = ReturnType<typeof newState>;

function find({ sessions }: State, reference: string): SessionSnapshot {
  const session = sessions.get(reference);
  if (!session) throw new Problem("not_found", `payments has no ${reference}`);
  return session;
}

function change({ sessions }: State, session: SessionSnapshot, to: Partial<SessionSnapshot>): SessionSnapshot {
  const changed = { ...session, ...to, version: session.version + 1 };
  sessions.set(session.reference, changed);
  return changed;
}

function sessionRequests(state: State): Request[] {
  const { sessions, brandings, reads, behavior, requests, details } = state;
  return [
    answer(readSessions, async ({ references }) => {
      reads.push({ at: performance.now(), references });
      await behavior.respondAfter;
      if (references.length > behavior.readsMax) throw new Error("the response does not fit into a message");
      const found = references.flatMap((reference) => sessions.get(reference) ?? []);
      const brandingOf = ({ merchant }: SessionSnapshot) => brandings.get(merchant.id) ?? NO_BRANDING;
      return { sessions: found.map((session) => ({ ...session, branding: brandingOf(session) })) };
    }),
    answer(givePayerDetails, async (input) => {
      requests.push({ subject: "details", input });
      const session = find(state, input.reference);
      const submitted = `${input.name} ${input.email}`;
      if ((details.get(input.reference) ?? submitted) !== submitted)
        throw new Problem("details_already_given", "Different details were already provided.");
      if (behavior.isFull) throw new Problem("amount_slots_exhausted", "Too many payments of this amount are open.");
      details.set(input.reference, submitted);
      return session.detailsRequired
        ? change(state, session, { detailsRequired: false, ...accountFor(session) })
        : session;
    }),
    answer(reportSent, async (input) => {
      requests.push({ subject: "sent", input });
      const session = find(state, input.reference);
      const kept = { ...NOTHING_KEPT, sentAt: new Date().toISOString().replace("Z", "+00:00") };
      return session.status === "pending" ? change(state, session, { status: "processing", kept }) : session;
    }),
  ];
}

/** A session without an account gets one, and its kobo. */
function accountFor({ hasAccount, amountRequested }: SessionSnapshot): Partial<SessionSnapshot> {
  if (hasAccount !== false) return {};
  const { accountNumber, accountName, bankName } = aSession();
  return { hasAccount: undefined, accountNumber, accountName, bankName, amount: amountRequested + 73n };
}

function openPublic({ sessions, requests, behavior }: State): Request {
  return answer(openPublicPayment, async ({ merchant, ...call }) => {
    const { amount, reference, description, client_nonce: nonce } = call;
    requests.push({ subject: "create", input: { merchant, amount, reference, description } });
    if (amount > 500_000_000n) throw new Problem("amount_over_limit", "At most ₦5,000,000.");
    const known = [...sessions.values()].find(
      ({ kept, merchant: { id } }) => id === merchant.id && nonce !== undefined && kept?.clientNonce === nonce,
    );
    const session =
      known ??
      aSession({
        merchant: { id: merchant.id, mode: merchant.mode },
        merchantName: merchant.name,
        amountRequested: amount,
        amount,
        description: description ?? null,
        redirectUrl: null,
        ...UNASSIGNED_ACCOUNT,
        detailsRequired: true,
        openedBy: "public_key",
        kept: { ...NOTHING_KEPT, clientNonce: nonce },
      });
    sessions.set(session.reference, session);
    const checkout_url = `${behavior.checkoutHost}/pay/${session.reference}`;
    const merchant_reference = reference ?? null;
    return { session, merchant_reference, checkout_url, warnings: behavior.warnings, created: !known };
  });
}

function linkRequests({ sessions, links, linkPayments, closing, suspended, requests, behavior }: State): Request[] {
  return [
    answer(showPaymentLink, async ({ slug }) => {
      requests.push({ subject: "link", input: { slug } });
      const link = links.get(slug);
      if (!link) throw new Problem("not_found", `payments has no ${slug}`);
      return link;
    }),
    answer(openLinkPayment, async ({ slug, amount, key, name, email }) => {
      requests.push({ subject: "link payment", input: { slug, amount, key, name, email } });
      const link = links.get(slug);
      if (link && closing.delete(slug)) links.set(slug, { ...link, status: "expired" });
      const known = linkPayments.get(key);
      if (!link || (!known && links.get(slug)?.status !== "active"))
        throw new Problem("conflict", "The link is not active.");
      if (!known && suspended.has(slug)) throw new Problem("merchant_suspended", "This business is suspended.");
      if (!known && behavior.isFull) throw new Problem("amount_slots_exhausted", "No amount is free.");
      const amountRequested = link.amount ?? amount ?? 0n;
      if (amountRequested > 500_000_000n) throw new Problem("amount_over_limit", "At most ₦5,000,000.");
      const session =
        known ??
        aSession({
          amountRequested,
          amount: amountRequested + 73n,
          redirectUrl: null,
          openedBy: "payment_link",
          kept: { ...NOTHING_KEPT, paymentLink: slug },
        });
      linkPayments.set(key, session);
      sessions.set(session.reference, session);
      return { session, created: !known };
    }),
  ];
}

function serveLogos({ logos, requests }: State): Request {
  return answer(getLogo, async ({ sha256 }) => {
    requests.push({ subject: "logo", input: { sha256 } });
    const logo = logos.get(sha256);
    if (!logo) throw new Problem("not_found", "payments has no such logo");
    return logo;
  });
}

function sandbox(state: State): Request {
  const { sessions, requests, behavior } = state;
  return answer(sandboxPay, async ({ merchant, outcome, payment_reference = "" }) => {
    requests.push({ subject: "sandbox", input: { merchant, outcome, payment_reference } });
    await behavior.respondAfter;
    if (outcome === "underpaid") throw new Problem("validation_failed", "The amount is too small to be underpaid.");
    const session = find(state, payment_reference);
    sessions.set(
      payment_reference,
      outcome === "paid" ? paid(session) : { ...session, status: "expired", version: session.version + 1 },
    );
    const { amount, accountNumber: account_number } = session;
    return { outcome, credited: true, reference: "col_1", amount, account_number, message: "", mode: merchant.mode };
  });
}

function publicKeys({ keys, requests }: State): Request {
  return answer(checkPublicKey, async ({ key }) => {
    requests.push({ subject: "key", input: { key } });
    const merchant = keys.get(key);
    if (!merchant) throw new Problem("invalid_api_key", "There is no such key.");
    return { merchant };
  });
}
