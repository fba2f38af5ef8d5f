import { randomInt } from "node:crypto";
import { answer, serveRequests } from "@collect/bus";
import {
  checkPublicKey,
  givePayerDetails,
  type Merchant,
  openLinkPayment,
  openPublicPayment,
  Problem,
  readSessions,
  reportSent,
  type SessionSnapshot,
  sandboxPay,
  showPaymentLink,
} from "@collect/contracts";
import { someId, startParts, type World } from "@collect/testing";

import { aSession, BASE58, type Link, paid } from "./checkout.ts";

/** payments, accounts and the gateway as checkout sees them: they remember what they were asked, and when. */
export async function playOthers(world: World) {
  const sessions = new Map<string, SessionSnapshot>();
  const details = new Map<string, string>();
  const keys = new Map<string, Merchant>();
  const links = new Map<string, Link>();
  const closing = new Set<string>();
  const linkPayments = new Map<string, SessionSnapshot>();
  const reads: { at: number; references: string[] }[] = [];
  const asked: { subject: string; input: Record<string, unknown> }[] = [];
  const behaviour = { readsAtMost: 500, answering: Promise.resolve(), checkoutHost: "http://localhost:4100" };
  const find = (reference: string) => {
    const session = sessions.get(reference);
    if (!session) throw new Problem("not_found", `payments has no ${reference}`);
    return session;
  };
  const change = (session: SessionSnapshot, to: Partial<SessionSnapshot>) => {
    const changed = { ...session, ...to, version: session.version + 1 };
    sessions.set(session.reference, changed);
    return changed;
  };
  const payments = [
    answer(readSessions, async ({ references }) => {
      reads.push({ at: performance.now(), references });
      await behaviour.answering;
      if (references.length > behaviour.readsAtMost) throw new Error("the answer does not fit into a message");
      return { sessions: references.flatMap((reference) => sessions.get(reference) ?? []) };
    }),
    answer(givePayerDetails, async (input) => {
      asked.push({ subject: "details", input });
      const session = find(input.reference);
      const given = `${input.name} ${input.email}`;
      if ((details.get(input.reference) ?? given) !== given)
        throw new Problem("details_already_given", "Different details were already provided.");
      details.set(input.reference, given);
      return session.detailsRequired ? change(session, { detailsRequired: false }) : session;
    }),
    answer(reportSent, async (input) => {
      asked.push({ subject: "sent", input });
      const session = find(input.reference);
      return session.status === "pending" ? change(session, { status: "processing" }) : session;
    }),
    answer(openPublicPayment, async ({ merchant, amount, reference, description }) => {
      asked.push({ subject: "open", input: { merchant, amount, reference, description } });
      if (amount > 500_000_000n) throw new Problem("amount_over_limit", "At most ₦5,000,000.");
      const known = [...sessions.values()].find(
        (session) => session.merchant.id === merchant.id && session.description === reference,
      );
      const session =
        known ??
        aSession({
          merchant: { id: merchant.id, mode: merchant.mode },
          merchantName: merchant.name,
          amountRequested: amount,
          amount: amount + 73n,
          description: reference ?? description ?? null,
          detailsRequired: true,
          openedBy: "public_key",
        });
      sessions.set(session.reference, session);
      const checkout_url = `${behaviour.checkoutHost}/pay/${session.reference}`;
      return { session, merchant_reference: reference ?? null, checkout_url, created: !known };
    }),
  ];
  const ofLinks = [
    answer(showPaymentLink, async ({ slug }) => {
      asked.push({ subject: "link", input: { slug } });
      const link = links.get(slug);
      if (!link) throw new Problem("not_found", `payments has no ${slug}`);
      return link;
    }),
    answer(openLinkPayment, async ({ slug, amount, key, name, email }) => {
      asked.push({ subject: "link payment", input: { slug, amount, key, name, email } });
      const link = links.get(slug);
      if (link && closing.delete(slug)) links.set(slug, { ...link, status: "expired" });
      const known = linkPayments.get(key);
      if (!link || (!known && links.get(slug)?.status !== "active"))
        throw new Problem("conflict", "The link is not active.");
      const amountRequested = link.amount ?? amount ?? 0n;
      if (amountRequested > 500_000_000n) throw new Problem("amount_over_limit", "At most ₦5,000,000.");
      const session = known ?? aSession({ amountRequested, amount: amountRequested + 73n, openedBy: "payment_link" });
      linkPayments.set(key, session);
      sessions.set(session.reference, session);
      return { session, created: !known };
    }),
  ];
  const accounts = answer(sandboxPay, async ({ merchant, outcome, payment_reference = "" }) => {
    asked.push({ subject: "sandbox", input: { merchant, outcome, payment_reference } });
    await behaviour.answering;
    if (outcome === "underpaid") throw new Problem("validation_failed", "The amount is too small to be underpaid.");
    const session = find(payment_reference);
    sessions.set(
      payment_reference,
      outcome === "paid" ? paid(session) : { ...session, status: "expired", version: session.version + 1 },
    );
    const { amount, accountNumber: account_number } = session;
    return { outcome, credited: true, reference: "col_1", amount, account_number, message: "", mode: merchant.mode };
  });
  const gateway = answer(checkPublicKey, async ({ key }) => {
    asked.push({ subject: "key", input: { key } });
    const merchant = keys.get(key);
    if (!merchant) throw new Problem("invalid_api_key", "There is no such key.");
    return { merchant };
  });
  const { others, log } = world;
  const stop = await startParts([
    serveRequests(others, { service: "payments", log, requests: [...payments, ...ofLinks] }),
    serveRequests(others, { service: "accounts", log, requests: [accounts] }),
    serveRequests(others, { service: "gateway", log, requests: [gateway] }),
  ]);
  return {
    sessions,
    reads,
    asked,
    keys,
    links,
    /** Links that end in the moment in which somebody pays through them. */
    closing,
    behaviour,
    /** payments knows these sessions. */
    know: (...known: SessionSnapshot[]) => {
      for (const session of known) sessions.set(session.reference, session);
    },
    /** A merchant with a public key, as the gateway knows it. */
    aKey(mode: "test" | "live" = "test"): { key: string; merchant: Merchant } {
      const merchant = { id: someId("mer"), mode, name: "Ada Stores" };
      const random = Array.from({ length: 38 }, () => BASE58[randomInt(58)]).join("");
      const key = `pk_${mode}_${random}`;
      keys.set(key, merchant);
      return { key, merchant };
    },
    stop,
  };
}
export type Others = Awaited<ReturnType<typeof playOthers>>;
