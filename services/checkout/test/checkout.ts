import { randomInt } from "node:crypto";
import { fileURLToPath } from "node:url";
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
  sessionChanged,
  showPaymentLink,
} from "@collect/contracts";
import { freePort } from "@collect/servers";
import { openWorld, someId, startParts, until, type World } from "@collect/testing";
import type { z } from "zod";
import { createApp } from "../src/app.ts";
import { Config } from "../src/config.ts";
import type { StreamLimits } from "../src/page/live.ts";
import type { RefreshSchedule } from "../src/use-cases/refresher.ts";
import type { WatchSchedule } from "../src/workers/watching.ts";

export const DIRECTORY = fileURLToPath(new URL("../prisma", import.meta.url));
export const openCheckoutWorld = () => openWorld({ service: "checkout", directory: DIRECTORY });

export type Checkout = { url: string; stop(): Promise<void> };

/** One replica, in this process, on a port of its own. */
export async function startCheckout(
  world: World,
  options: { refresh?: RefreshSchedule; watch?: WatchSchedule; streams?: StreamLimits } = {},
): Promise<Checkout> {
  const port = await freePort();
  const config = Config.parse({ DATABASE_URL: world.database.service, NATS_URL: world.natsUrl, PORT: String(port) });
  const { pools, bus, log } = world;
  const stop = await startParts(createApp({ config, pools, bus, log, ...options }));
  return { url: `http://127.0.0.1:${port}`, stop };
}

export type Answer = { status: number; headers: Headers; text: string; body: Record<string, unknown> };
type Call = { key?: string; body?: unknown; type?: string; headers?: Record<string, string> };

/** A call as a browser or a curious person makes it. A string as body is sent as it is; redirects are not followed. */
export async function call(
  checkout: Checkout,
  method: string,
  path: string,
  { key, body, type = "application/json", headers = {} }: Call = {},
): Promise<Answer> {
  const response = await fetch(`${checkout.url}${path}`, {
    method,
    redirect: "manual",
    headers: {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { "content-type": type }),
      ...headers,
    },
    body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const isJson = /json/.test(response.headers.get("content-type") ?? "");
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} };
}

/** A page but for the nonce, which no two answers share. */
export const withoutNonce = ({ text }: Answer): string => text.replaceAll(/ nonce="[^"]+"/g, "");

export const FORM = "application/x-www-form-urlencoded";

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
export const aReference = () => `pay_${Array.from({ length: 22 }, () => BASE58[randomInt(58)]).join("")}`;

/** A time some minutes from now, as it stands on the wire. */
export const inMinutes = (minutes: number) =>
  new Date(Date.now() + minutes * 60_000).toISOString().replace("Z", "+00:00");

/** An open session of a merchant of its own: ₦2,500.00 asked, ₦2,500.73 to be sent. */
export function aSession(given: Partial<SessionSnapshot> = {}): SessionSnapshot {
  return {
    reference: aReference(),
    version: 1,
    merchant: { id: someId("mer"), mode: "test" },
    merchantName: "Ada Stores",
    status: "pending",
    amount: 250_073n,
    amountRequested: 250_000n,
    amountReceived: 0n,
    accountNumber: "0123456789",
    accountName: "Ada Stores / Collections",
    bankName: "Test Bank",
    description: "Order 1001",
    redirectUrl: "https://shop.example/done?order=1001#top",
    detailsRequired: false,
    openedBy: "secret_key",
    createdAt: inMinutes(-5),
    expiresAt: inMinutes(25),
    watchUntil: inMinutes(145),
    paidAt: null,
    ...given,
  };
}

export const paid = (session: SessionSnapshot): SessionSnapshot => ({
  ...session,
  version: session.version + 1,
  status: "paid",
  amountReceived: session.amount,
  paidAt: inMinutes(0),
});

export type Link = z.output<typeof showPaymentLink.output>;
/** An active test link of ₦2,500.00. */
export const aLink = (given: Partial<Link> = {}): Link => ({
  slug: Array.from({ length: 10 }, () => BASE58[randomInt(58)]).join(""),
  title: "Ankara dress",
  description: "Size 12",
  amount: 250_000n,
  status: "active",
  mode: "test",
  merchant_name: "Ada Stores",
  ...given,
});

/** Tells the session as an event and waits until it is in the read model. */
export async function tell(world: World, ...sessions: SessionSnapshot[]): Promise<void> {
  await world.others.publish(sessionChanged, sessions);
  const references = sessions.map(({ reference }) => reference);
  await until("the sessions are known", async () => {
    const { rowCount } = await world.owner.query("select from session_views where reference = any($1)", [references]);
    return rowCount === sessions.length;
  });
}

/** The copies as if payments had last spoken of them so long ago. */
export async function age(world: World, minutes: number, ...sessions: SessionSnapshot[]): Promise<void> {
  await world.owner.query(
    "update session_views set refreshed_at = clock_timestamp() - $1 * interval '1 minute' where reference = any($2)",
    [minutes, sessions.map(({ reference }) => reference)],
  );
}

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
