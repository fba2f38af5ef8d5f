import { randomBytes } from "node:crypto";
import { addMember, createSignInLink, type MemberRole } from "@collect/contracts";
import type { Stack } from "../stack.ts";

/** A dashboard user with a session cookie, as a browser would store it. */
export type Person = {
  name: string;
  email: string;
  password: string;
  cookie: string;
  /** Calls the dashboard's API as its pages do; merchant paths are below `/api/m/{id}/{mode}`. */
  call(method: "GET" | "POST", path: string, body?: object): Promise<{ status: number; body: Record<string, unknown> }>;
};

/** Signs up a user over HTTP, in the same steps as the page. */
export async function signUp(stack: Stack, name = "Ngozi Eze"): Promise<Person> {
  const person = newUser(name);
  await post(stack, "/api/auth/sign-up/email", person);
  const { email, password } = person;
  return inSession(stack, person, await post(stack, "/api/auth/sign-in/email", { email, password }));
}

/** The same user in another browser: with the password, or as its thief. */
export async function signInAgain(stack: Stack, person: Person): Promise<Person> {
  const { email, password } = person;
  return inSession(stack, person, await post(stack, "/api/auth/sign-in/email", { email, password }));
}

/** A team member: added by the operator, signed in with a link, with a password. */
export async function aMember(stack: Stack, merchantId: string, role: MemberRole, name = "Ngozi Eze"): Promise<Person> {
  const person = newUser(name);
  const { email } = person;
  await stack.bus.request(addMember, { merchant_id: merchantId, email, name, role });
  const { url } = await stack.bus.request(createSignInLink, { email });
  const member = inSession(stack, person, await post(stack, "/api/sign-in-link", { token: url.split("/").at(-1) }));
  const { status } = await member.call("POST", "/api/password", { new_password: person.password });
  if (status !== 200) throw new Error(`${email} could not set a password: ${status}`);
  return member;
}

function newUser(name: string) {
  const email = `${randomBytes(6).toString("hex")}@example.com`;
  return { name, email, password: randomBytes(9).toString("base64url") };
}

function inSession(stack: Stack, person: ReturnType<typeof newUser>, signedIn: Response): Person {
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

/** Name and value of every cookie that a response sets. */
export function cookieOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

/** The same cookies in the format of a browser context. */
export function cookiesFor(stack: Stack, { cookie }: Pick<Person, "cookie">) {
  return cookie.split("; ").map((pair) => {
    const at = pair.indexOf("=");
    return { name: pair.slice(0, at), value: pair.slice(at + 1), url: stack.dashboardUrl };
  });
}
