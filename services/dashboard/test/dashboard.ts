import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { MemberRole } from "@collect/contracts";
import { freePort } from "@collect/servers";
import { busEnvironment, openWorld, startComponents, type World } from "@collect/testing";
import { createApp } from "../src/app.ts";
import { Config } from "../src/config.ts";

export const DIRECTORY = fileURLToPath(new URL("../prisma", import.meta.url));
export const openDashboardWorld = () => openWorld({ service: "dashboard", directory: DIRECTORY });

export const AUTH_SECRET = "a secret of this test run of 32 characters and more";
export const KEYRING = aKeyringKey("k1");
export function aKeyringKey(id: string): string {
  return `${id}:${randomBytes(32).toString("base64")}`;
}

export type Dashboard = { url: string; port: number; config: Config; stop(): Promise<void> };

/** One replica of the dashboard, in this process, on a port of its own, without a built app unless one is given. */
export async function startDashboard(
  world: World,
  environment: Record<string, string | undefined> = {},
  web = "/nowhere",
): Promise<Dashboard> {
  const port = await freePort();
  const config = Config.parse({
    DATABASE_URL: world.database.service,
    ...busEnvironment(world.natsUrl, "dashboard"),
    PORT: String(port),
    APP_URL: `http://localhost:${port}`,
    TEST_RECEIVER_URL: `http://localhost:${port}`,
    AUTH_SECRET,
    KEYRING,
    // Tests come from many addresses, as people do.
    TRUSTED_PROXIES: "1",
    ...environment,
  });
  const stop = await startComponents(createApp({ config, pool: world.pool, bus: world.bus, log: world.log, web }));
  return { url: `http://127.0.0.1:${port}`, port, config, stop };
}

export type Answer = { status: number; headers: Headers; text: string; body: Record<string, unknown> };
type Options = { headers?: Record<string, string>; body?: unknown };

let addresses = 0;

/** A browser: it keeps cookies and says where its calls come from. Each has an address of its own. */
export function openBrowser(dashboard: Dashboard, address = anAddress()) {
  const cookies = new Map<string, string>();

  async function raw(method: string, path: string, { headers = {}, body }: Options = {}): Promise<Response> {
    const response = await fetch(`${dashboard.url}${path}`, {
      method,
      redirect: "manual",
      headers: {
        "x-forwarded-for": address,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(method === "GET" ? {} : { origin: dashboard.config.APP_URL, "content-type": "application/json" }),
        ...headers,
      },
      body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [name = "", value = ""] = cookie.split(";")[0]?.split(/=(.*)/s) ?? [];
      if (value === "" || /max-age=0/i.test(cookie)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }

  async function call(method: string, path: string, options: Options = {}): Promise<Answer> {
    const response = await raw(method, path, options);
    const text = await response.text();
    const isJson = /json/.test(response.headers.get("content-type") ?? "");
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} };
  }

  return {
    cookies,
    raw,
    call,
    get: (path: string, options?: Options) => call("GET", path, options),
    post: (path: string, body: unknown = {}, options: Options = {}) => call("POST", path, { body, ...options }),
    signIn: (email: string, password = PASSWORD) =>
      call("POST", "/api/auth/sign-in/email", { body: { email, password } }),
  };
}
export type Browser = ReturnType<typeof openBrowser>;

export const anAddress = () => `10.${(++addresses >> 8) & 255}.${addresses & 255}.7`;
export const PASSWORD = "three plain words";

let people = 0;

/** A person who has signed up and is signed in, in a browser of theirs. */
export async function signedUp(dashboard: Dashboard, email = `person${++people}@example.com`) {
  const browser = openBrowser(dashboard);
  await browser.post("/api/auth/sign-up/email", { name: "Ada Obi", email, password: PASSWORD });
  await browser.signIn(email);
  const { body } = await browser.get("/api/me");
  const { id } = Object(body.user);
  return { ...browser, email, id: String(id) };
}
export type Person = Awaited<ReturnType<typeof signedUp>>;

/** A member of a team with a proven address and a second factor, signed in without the work of a password: the rows are there as if they had come the usual way. */
export async function aMember(
  world: World,
  dashboard: Dashboard,
  member: { merchantId: string; role: MemberRole | null },
) {
  const { merchantId, role } = member;
  const id = randomUUID();
  const email = `member${++people}@example.com`;
  await world.owner.query(
    "insert into businesses (id, name, registered_at) values ($1, 'Ada Stores', clock_timestamp()) on conflict do nothing",
    [merchantId],
  );
  await world.owner.query(
    "insert into users (id, name, email, email_verified, two_factor_enabled) values ($1, 'Ada Obi', $2, true, true)",
    [id, email],
  );
  if (role)
    await world.owner.query("insert into members (merchant_id, user_id, role) values ($1, $2, $3)", [
      merchantId,
      id,
      role,
    ]);
  const openSession = async () => {
    const [browser, token] = [openBrowser(dashboard), randomUUID()];
    await world.owner.query(
      "insert into sessions (id, token, user_id, second_factor, expires_at) values ($1, $1, $2, true, clock_timestamp() + interval '1 day')",
      [token, id],
    );
    const signature = createHmac("sha256", dashboard.config.AUTH_SECRET[0]).update(token).digest("base64");
    browser.cookies.set("collect.session_token", encodeURIComponent(`${token}.${signature}`));
    const grow = (minutes: number) =>
      world.owner.query("update sessions set confirmed_at = confirmed_at - $2 * interval '1 minute' where token = $1", [
        token,
        minutes,
      ]);
    return { ...browser, id, email, grow };
  };
  /** `again`: in another browser. */
  return { ...(await openSession()), again: openSession };
}

/** What is the same in every answer of a kind: all but the request's own id. */
export function withoutRequestId({ status, text, body }: Answer): { status: number; text: string } {
  return { status, text: text.replace(String(body.request_id), "") };
}
