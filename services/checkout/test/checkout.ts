import { randomInt } from "node:crypto";
import { fileURLToPath } from "node:url";
import { NO_BRANDING, type SessionSnapshot, sessionChanged, type showPaymentLink } from "@collect/contracts";
import { freePort } from "@collect/servers";
import { busEnvironment, randomId, startComponents, until, type World } from "@collect/testing";
import type { z } from "zod";
import { createApp } from "../src/app.ts";
import { Config } from "../src/config.ts";
import type { LiveLimits } from "../src/page/live.ts";
import type { RefreshSchedule } from "../src/use-cases/refresher.ts";
import type { WatchSchedule } from "../src/workers/session-watcher.ts";

export const DIRECTORY = fileURLToPath(new URL("../prisma", import.meta.url));

export type Checkout = { url: string; stop(): Promise<void> };

type StartOptions = {
  refresh?: RefreshSchedule;
  watch?: WatchSchedule;
  streams?: LiveLimits;
  proxies?: string;
  docs?: string;
};

/** Reads from payments without the pauses, for pages, which wait for how a merchant shows itself. */
export const EAGER: RefreshSchedule = { everyMs: 10, missTtlMs: 5_000 };

/** One replica, in this process, on its own port. */
export async function startCheckout(world: World, { proxies, docs, ...options }: StartOptions = {}): Promise<Checkout> {
  const port = await freePort();
  const config = Config.parse({
    DATABASE_URL: world.database.service,
    ...busEnvironment(world.natsUrl, "checkout"),
    PORT: String(port),
    TRUSTED_PROXIES: proxies,
    DOCS_URL: docs,
  });
  const { pools, bus, log } = world;
  const stop = await startComponents(createApp({ config, pools, bus, log, ...options }));
  return { url: `http://127.0.0.1:${port}`, stop };
}

export type CallResult = { status: number; headers: Headers; text: string; body: Record<string, unknown> };
type Call = { key?: string; body?: unknown; type?: string; headers?: Record<string, string> };

/** A call as a browser or any HTTP client makes it. A string body is sent unchanged; redirects are not followed. */
export async function call(
  checkout: Checkout,
  method: string,
  path: string,
  { key, body, type = "application/json", headers = {} }: Call = {},
): Promise<CallResult> {
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

/** A page without its nonce, which differs in every response. */
export const withoutNonce = ({ text }: CallResult): string => text.replaceAll(/ nonce="[^"]+"/g, "");

/** The text that a payer reads, without the markup; inline elements do not split it. */
export const words = (text: string) =>
  text
    .replace(/<(style|svg)\b.*?<\/\1>|<button class="copy".*?<\/button>|<div class="acts">.*?<\/div>/gs, "")
    .replace(/<\/?(a|bdi|span|strong|time)\b[^>]*>/g, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/ +/g, " ");

export const ADA = { name: "Ada Obi", email: "ada@example.com" };
export const FORM = "application/x-www-form-urlencoded";

export const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
export const aReference = () => `pay_${Array.from({ length: 22 }, () => BASE58[randomInt(58)]).join("")}`;

/** A time some minutes from now, in the wire format. */
export const inMinutes = (minutes: number) =>
  new Date(Date.now() + minutes * 60_000).toISOString().replace("Z", "+00:00");

/** An open session of a new merchant: ₦2,500.00 requested, ₦2,500.73 to be sent. */
export function aSession(given: Partial<SessionSnapshot> = {}): SessionSnapshot {
  return {
    reference: aReference(),
    version: 1,
    merchant: { id: randomId("mer"), mode: "test" },
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
  merchant: { id: randomId("mer"), mode: "test" },
  merchant_name: "Ada Stores",
  branding: NO_BRANDING,
  ...given,
});

/** Publishes the sessions as events and waits until they are in the read model. */
export async function publishSessions(world: World, ...sessions: SessionSnapshot[]): Promise<void> {
  await world.others.publish(sessionChanged, sessions);
  const references = sessions.map(({ reference }) => reference);
  await until("the copies are stored", async () => {
    const { rowCount } = await world.owner.query("select from session_views where reference = any($1)", [references]);
    return rowCount === sessions.length;
  });
}

/** Ages the copies, as if payments had last confirmed them this long ago. */
export async function ageCopies(world: World, minutes: number, ...sessions: SessionSnapshot[]): Promise<void> {
  await world.owner.query(
    "update session_views set refreshed_at = clock_timestamp() - $1 * interval '1 minute' where reference = any($2)",
    [minutes, sessions.map(({ reference }) => reference)],
  );
}
