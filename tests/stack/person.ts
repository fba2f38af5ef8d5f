import { randomBytes } from "node:crypto";
import { addMember, createSignInLink, type MemberRole } from "@collect/contracts";
import type { Stack } from "../stack.ts";

/** Somebody with an account at the dashboard, and a cookie of a session there, as a browser would keep it. */
export type Person = {
  name: string;
  email: string;
  password: string;
  cookie: string;
  /** A call of the app's API as its page makes it; `merchant` paths are below `/api/m/{id}/{mode}`. */
  call(method: "GET" | "POST", path: string, body?: object): Promise<{ status: number; body: Record<string, unknown> }>;
};

/** Signs somebody up over HTTP, in the steps of the page. */
export async function signUp(stack: Stack, name = "Ngozi Eze"): Promise<Person> {
  const person = somebody(name);
  await post(stack, "/api/auth/sign-up/email", person);
  const { email, password } = person;
  return inSession(stack, person, await post(stack, "/api/auth/sign-in/email", { email, password }));
}

/** A member of a merchant's team: added by the operator, signed in by a link, with a password of their own. */
export async function aMember(stack: Stack, merchantId: string, role: MemberRole, name = "Ngozi Eze"): Promise<Person> {
  const person = somebody(name);
  const { email } = person;
  await stack.bus.request(addMember, { merchant_id: merchantId, email, name, role });
  const { url } = await stack.bus.request(createSignInLink, { email });
  const member = inSession(stack, person, await post(stack, "/api/sign-in-link", { token: url.split("/").at(-1) }));
  const { status } = await member.call("POST", "/api/password", { new_password: person.password });
  if (status !== 200) throw new Error(`${email} could not set a password: ${status}`);
  return member;
}

function somebody(name: string) {
  const email = `${randomBytes(6).toString("hex")}@example.com`;
  return { name, email, password: randomBytes(9).toString("base64url") };
}

function inSession(stack: Stack, person: ReturnType<typeof somebody>, signedIn: Response): Person {
  if (!signedIn.ok) throw new Error(`${person.email} could not sign in: ${signedIn.status}`);
  const cookie = cookieOf(signedIn);
  return {
    ...person,
    cookie,
    async call(method, path, body) {
      const answer = await fetch(`${stack.dashboardUrl}${path}`, {
        method,
        headers: { cookie, origin: stack.dashboardUrl, ...(body && { "content-type": "application/json" }) },
        body: body ? JSON.stringify(body) : null,
        signal: AbortSignal.timeout(30_000),
      });
      const text = await answer.text();
      return { status: answer.status, body: text.startsWith("{") ? JSON.parse(text) : { text } };
    },
  };
}

function post(stack: Stack, path: string, body: object): Promise<Response> {
  return fetch(`${stack.dashboardUrl}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: stack.dashboardUrl },
    body: JSON.stringify(body),
  });
}

/** Name and value of every cookie that an answer sets. */
export function cookieOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

/** The same cookies in the form a browser's profile takes. */
export function cookiesFor(stack: Stack, { cookie }: Pick<Person, "cookie">) {
  return cookie.split("; ").map((pair) => {
    const at = pair.indexOf("=");
    return { name: pair.slice(0, at), value: pair.slice(at + 1), url: stack.dashboardUrl };
  });
}
