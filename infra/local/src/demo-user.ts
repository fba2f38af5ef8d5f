import { randomBytes } from "node:crypto";
import type { Bus } from "@collect/bus";
import { addMember, createSignInLink } from "@collect/contracts";
import type { Demo } from "./files.ts";

const EMAIL = "demo@example.com";
const NAME = "Demo Owner";
/** A link signs in once; every start prints a new one. */
const LINK_VALID_MINUTES = 7 * 24 * 60;

/** The owner of the demo merchant: added by the operator, with a password set through the first link and stored in demo.json. */
export async function demoUser(
  bus: Bus,
  options: { dashboardUrl: string; merchantId: string; stored: Demo["user"] | undefined },
): Promise<Demo["user"]> {
  const { dashboardUrl, merchantId, stored } = options;
  await bus.request(addMember, { merchant_id: merchantId, email: EMAIL, name: NAME, role: "owner" });
  const password = stored?.password ?? randomBytes(12).toString("base64url");
  if (!stored) await setPassword(dashboardUrl, await newLink(bus), password);
  return { email: EMAIL, password, sign_in_url: await newLink(bus) };
}

async function newLink(bus: Bus): Promise<string> {
  return (await bus.request(createSignInLink, { email: EMAIL, valid_minutes: LINK_VALID_MINUTES })).url;
}

/** Signs in with the link and sets a password, as a user would. */
async function setPassword(dashboardUrl: string, link: string, password: string): Promise<void> {
  const signedIn = await post(dashboardUrl, "/api/sign-in-link", { token: link.split("/").at(-1) });
  const cookies = signedIn.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
  await post(dashboardUrl, "/api/password", { new_password: password }, { cookie: cookies.join("; ") });
}

async function post(
  dashboardUrl: string,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Response> {
  const response = await fetch(`${dashboardUrl}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: dashboardUrl, ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  if (!response.ok) throw new Error(`the dashboard returned ${response.status} for ${path} of the demo user`);
  return response;
}
