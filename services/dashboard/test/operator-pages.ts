import { connectBus, publicKeyOf } from "@collect/bus";
import { browseMerchants, getOperatorKey, signInOperator } from "@collect/contracts";
import { freePort } from "@collect/servers";
import { brokerAt, startComponents } from "@collect/testing";
import { afterAll } from "vitest";
import { OperatorsConfig } from "../src/config.ts";
import { createOperatorsApp } from "../src/http/operators/app.ts";
import { useDashboard } from "./world.ts";

const SET_UP_AT = "2026-11-23T09:00:00.000+00:00";
const chosen = (set_up_at: string | null) => ({ name: "ada", can_sign_in: set_up_at !== null, set_up_at });
const signedBy = (public_key: string, input: object = {}) => ({
  input,
  signature: { public_key, at: new Date().toISOString(), request_id: "r", signature: "AAAA" },
});
type Given = { cookie?: string; body?: object; address?: string };

/** The process of the operators' pages, beside a gateway that is played: signatures are verified in tests/browser. */
export async function useOperatorPages(now = Date.now) {
  const { world, others, dashboard } = await useDashboard();
  const broker = brokerAt(world.natsUrl, "operators");
  const bus = await connectBus({ ...broker, name: "operator", log: world.log });
  afterAll(() => bus.close());
  const port = await freePort();
  const APP_URL = `http://localhost:${port}`;
  const config = OperatorsConfig.parse({
    ...{ NATS_URL: world.natsUrl, NATS_NKEY_SEED: broker.seed, PORT: String(port), APP_URL },
    TRUSTED_PROXIES: "1",
  });
  afterAll(await startComponents(createOperatorsApp({ config, bus, log: world.log, web: "/nowhere", now })));

  const [ADA, OTHER] = [
    publicKeyOf(broker.seed ?? ""),
    publicKeyOf(brokerAt(world.natsUrl, "operator").seed ?? ""),
  ] as const;
  const raw = (path: string, { cookie = "", body, address = "192.0.2.1" }: Given = {}) =>
    fetch(`http://127.0.0.1:${port}/api/${path}`, {
      method: body ? "POST" : "GET",
      headers: { cookie, origin: APP_URL, "content-type": "application/json", "x-forwarded-for": address },
      body: body ? JSON.stringify(body) : null,
    });
  const call = async (path: string, given: Given = {}) => {
    const response = await raw(path, given);
    return {
      status: response.status,
      code: Object(await response.json()).code,
      cookie: response.headers.getSetCookie(),
    };
  };
  /** Signed in: the gateway has accepted key, password and code. */
  async function signIn(): Promise<string> {
    others.reply(signInOperator, () => ({ name: "ada", set_up_at: SET_UP_AT }));
    others.reply(getOperatorKey, () => chosen(SET_UP_AT));
    others.reply(browseMerchants, () => ({ data: [], next: null }));
    const { cookie } = await call(`sign-in/${signInOperator.subject}`, {
      body: signedBy(ADA, { password: "four plain words here", code: "000000" }),
    });
    return cookie[0]?.split(";")[0] ?? "";
  }
  return { dashboard, others, raw, call, signIn, signedBy, chosen, port, ADA, OTHER };
}
