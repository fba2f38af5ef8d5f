import { fileURLToPath } from "node:url";
import {
  browseApiCalls,
  createMerchant,
  createRestrictedKey,
  KEY_SCOPES,
  verifyMerchant,
  type WireInput,
} from "@collect/contracts";
import { freePort } from "@collect/servers";
import {
  busEnvironment,
  OPERATORS,
  openWorld,
  randomId,
  startComponents,
  until,
  useWorld,
  type World,
} from "@collect/testing";
import { afterAll } from "vitest";
import { createApp } from "../src/app.ts";
import { Config } from "../src/config.ts";

export const DIRECTORY = fileURLToPath(new URL("../prisma", import.meta.url));
export const openGatewayWorld = () => openWorld({ service: "gateway", directory: DIRECTORY });

export type Gateway = { url: string; port: number; stop(): Promise<void> };

/** One replica of the gateway, in this process, on its own port. */
export async function startGateway(world: World, environment: Record<string, string> = {}): Promise<Gateway> {
  const port = await freePort();
  const config = Config.parse({
    DATABASE_URL: world.database.service,
    ...busEnvironment(world.natsUrl, "gateway"),
    PORT: String(port),
    OPERATORS,
    ...environment,
  });
  const stop = await startComponents(createApp({ config, pool: world.pool, bus: world.bus, log: world.log }));
  return { url: `http://127.0.0.1:${port}/v1`, port, stop };
}

/** A world with one replica, for the whole test file. */
export async function useGateway(
  environment: Record<string, string> = {},
): Promise<{ world: World; gateway: Gateway }> {
  const world = await useWorld({ service: "gateway", directory: DIRECTORY });
  const gateway = await startGateway(world, environment);
  afterAll(gateway.stop);
  return { world, gateway };
}

type Limits = { accounts?: number; reads?: number };

/** A merchant as created by the operator, with all four keys. */
export async function aShop(world: World, limits: Limits = {}) {
  const created = await world.others.request(createMerchant, { name: "Ada Stores", rate_limits: limits });
  const verified = await world.others.request(verifyMerchant, {
    merchant_id: created.merchant_id,
    despite_name: true,
  });
  return { id: created.merchant_id, ...created.keys, ...verified.keys };
}

/** A restricted key of a merchant: by default for all scopes in test mode, from anywhere. */
export async function aRestrictedKey(
  world: World,
  merchant_id: string,
  given: Partial<WireInput<typeof createRestrictedKey>> = {},
): Promise<string> {
  const scopes = [...KEY_SCOPES];
  const input = { merchant_id, mode: "test" as const, name: randomId("key"), scopes, ...given };
  return (await world.others.request(createRestrictedKey, input)).key;
}

/** The same, made once for each set of properties: a merchant can have 50, and there are more endpoints. */
export function restrictedKeysOf(world: World, merchant_id: string) {
  const keys = new Map<string, Promise<string>>();
  return (given: Parameters<typeof aRestrictedKey>[2]): Promise<string> => {
    const properties = JSON.stringify(given);
    const key = keys.get(properties) ?? aRestrictedKey(world, merchant_id, given);
    keys.set(properties, key);
    return key;
  };
}

/** A merchant's request log, as the dashboard reads it. */
export const requestLogOf = (world: World) => {
  const browse = (id: string, filter: LogFilter = {}, mode: "test" | "live" = "test") =>
    world.others.request(browseApiCalls, { merchant: { id, mode }, ...filter });
  return {
    browse,
    /** Waits until this many calls are in it. */
    logged: (id: string, count: number, mode: "test" | "live" = "test") =>
      until(`${count} calls are logged`, async () => {
        const { data } = await browse(id, {}, mode);
        return data.length >= count && data;
      }),
  };
};
export type LogFilter = Omit<WireInput<typeof browseApiCalls>, "merchant">;

export type Answer = { status: number; headers: Headers; text: string; body: Record<string, unknown> };

type Sent = { key?: string; body?: unknown; type?: string; headers?: Record<string, string> };
/** A call of a merchant's server. A string body is sent unchanged. */
export async function call(
  gateway: Gateway,
  method: string,
  path: string,
  { key, body, type = "application/json", headers = {} }: Sent = {},
): Promise<Answer> {
  const response = await fetch(`${gateway.url}${path}`, {
    method,
    headers: {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { "content-type": type }),
      ...headers,
    },
    body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: text ? JSON.parse(text) : {} };
}

/** The part that is the same in equal responses: everything but the request id. */
export function withoutRequestId({ status, text, body }: Answer): { status: number; text: string } {
  return { status, text: text.replace(String(body.request_id), "") };
}
