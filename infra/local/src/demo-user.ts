import { randomBytes } from "node:crypto";
import type { Bus } from "@collect/bus";
import { addMember, createSignInLink } from "@collect/contracts";
import type { Demo } from "./files.ts";

const EMAIL = "demo@example.com";
const NAME = "Demo Owner";
/** A link is for one sign-in; every start prints a new one. */
const LINK_VALID_MINUTES = 7 * 24 * 60;

/** The owner of the demo merchant: added by the operator, with a password that is set through the first link and kept in demo.json. */
export async function demoUser(
  bus: Bus,
  options: { dashboardUrl: string; merchantId: string; kept: Demo["user"] | undefined },
): Promise<Demo["user"]> {
  const { dashboardUrl, merchantId, kept } = options;
  await bus.request(addMember, { merchant_id: merchantId, email: EMAIL, name: NAME, role: "owner" });
  const password = kept?.password ?? randomBytes(12).toString("base64url");
  if (!kept) await setPassword(dashboardUrl, await newLink(bus), password);
  return { email: EMAIL, password, sign_in_url: await newLink(bus) };
}

async function newLink(bus: Bus): Promise<string> {
  return (await bus.request(createSignInLink, { email: EMAIL, valid_minutes: LINK_VALID_MINUTES })).url;
}

/** As somebody does who opens the link and chooses a password. */
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
  const answer = await fetch(`${dashboardUrl}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: dashboardUrl, ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  if (!answer.ok) throw new Error(`the dashboard answered ${answer.status} to ${path} of the demo user`);
  return answer;
}
