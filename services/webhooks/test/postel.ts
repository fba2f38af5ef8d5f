import { readFile } from "node:fs/promises";
import { collectionRecorded, collectionSucceeded } from "@collect/contracts";
import {
  aMerchant,
  type Received,
  randomId,
  recordFacts,
  startReceiver,
  until,
  type WebhookReceiver,
  type World,
} from "@collect/testing";
import { Webhook } from "standardwebhooks";
import { parse } from "yaml";
import {
  AT_ONCE,
  aCollection,
  type Collection,
  type DeliveryRow,
  deliveriesOf,
  setUrl,
  startWebhooks,
} from "./service.ts";

/** A vector of postel-sh/postel for senders, as far as ours reads it. */
type Vector = {
  mock_receiver?: { scripted_responses?: Answer[]; default_response?: Answer };
  triggers: Trigger[];
  expected_requests?: Expected[];
  expected: { outcome: "accept" | "reject"; error_code?: string };
};
type Answer = { status: number; headers?: Record<string, string>; delay_ms?: number };
type Trigger =
  | { op: "register_endpoint"; as: string; endpoint: Endpoint }
  | { op: "send"; event: { idempotencyKey?: string; tenantId?: string } }
  | { op: "start_workers" | "wait_for" };
type Endpoint = {
  url: string;
  tenantId?: string;
  allowHttp?: boolean;
  retryPolicy?: { schedule: string[]; maxAttempts: number };
  http?: { requestTimeout: string };
};
type Expected = {
  endpoint: string;
  method?: string;
  path?: string;
  headers_present?: string[];
  headers_match?: Record<string, string>;
  signature_verifies?: { scheme: string };
  attempt_status?: string;
  arrived_within_ms?: { min_ms: number };
};

export type Run = { vector: Vector; requests: Request[]; refusals: unknown[] };
/** A request as the vectors describe it. */
type Request = { endpoint: string; delivery: Received; arrivedAt: number; verified: boolean; attemptStatus: string };

export async function readVector(name: string): Promise<Vector> {
  return parse(await readFile(new URL(`postel/${name}.yaml`, import.meta.url), "utf8"));
}

type Registered = { name: string; merchant: Collection["merchant"]; secret: string };
type Context = { world: World; receiver: WebhookReceiver; endpoints: Registered[]; collections: Collection[] };

/** Plays a vector against a replica with its schedule, until every expected request has arrived with its result. */
export async function play(vector: Vector, world: World): Promise<Run> {
  const endpoints = vector.triggers.flatMap((trigger) =>
    trigger.op === "register_endpoint" ? [trigger.endpoint] : [],
  );
  const stop = await startWebhooks(world, sendingOf(endpoints), {
    allowPrivateUrls: vector.expected.outcome === "accept",
  });
  const receiver = await startReceiver();
  const arrivals: number[] = [];
  answerAs(vector, receiver, arrivals);
  const context: Context = { world, receiver, endpoints: [], collections: [] };
  try {
    const recorded = await recordFacts(world.others, collectionRecorded);
    const refusals: unknown[] = [];
    for (const trigger of vector.triggers) {
      await perform(trigger, context).catch((error) => refusals.push(error));
      // Two of one key in one batch are recorded as one.
      await recorded.count(context.collections.length);
    }
    const expected = (vector.expected_requests ?? []).map(({ attempt_status }) => attempt_status);
    const requests = await until("the expected requests have their results", async () => {
      const all = await requestsOf(context, arrivals);
      const isAsExpected = expected.every((status, at) => (status ?? "success") === all[at]?.attemptStatus);
      return isAsExpected && all;
    });
    return { vector, requests, refusals };
  } finally {
    await receiver.stop();
    await stop();
  }
}

function sendingOf(endpoints: Endpoint[]) {
  const { retryPolicy, http } = endpoints[0] ?? {};
  const delaysMs = retryPolicy?.schedule.slice(0, retryPolicy.maxAttempts - 1).map(milliseconds) ?? [];
  return {
    ...AT_ONCE,
    schedule: { delaysMs, jitter: 0, retryAfterMaxMs: 86_400_000 },
    ...(http && { deadlineMs: milliseconds(http.requestTimeout) }),
  };
}

function milliseconds(text: string): number {
  const [, amount, unit = ""] = text.match(/^(\d+)(ms|s|m|h)$/) ?? [];
  return Number(amount) * ({ ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }[unit] ?? Number.NaN);
}

function answerAs({ mock_receiver: mock }: Vector, receiver: WebhookReceiver, arrivals: number[]): void {
  const scripted = [...(mock?.scripted_responses ?? [])];
  receiver.behave((response) => {
    arrivals.push(performance.now());
    const { status, headers, delay_ms = 0 } = scripted.shift() ?? mock?.default_response ?? { status: 200 };
    setTimeout(() => response.writeHead(status, headers).end(), delay_ms);
  });
}

async function perform(trigger: Trigger, { world, receiver, endpoints, collections }: Context): Promise<void> {
  if (trigger.op === "register_endpoint") {
    const { url, allowHttp, tenantId } = trigger.endpoint;
    const merchant = { ...aMerchant(), ...(tenantId && { id: `mer_${tenantId}` }) };
    const own = url.replace("{{mock_receiver_url}}", new URL(receiver.url).origin);
    // Ours never allows http, so what the vector refuses in spite of it must be refused over https, too.
    const { secret } = await setUrl(world, merchant, allowHttp ? own.replace("http:", "https:") : own);
    endpoints.push({ name: trigger.as, merchant, secret });
  } else if (trigger.op === "send") {
    const { idempotencyKey, tenantId } = trigger.event;
    const merchant = (endpoints.find((each) => each.merchant.id === `mer_${tenantId}`) ?? endpoints[0])?.merchant;
    if (!merchant) throw new Error("no endpoint was registered");
    const intakeId = `int_${idempotencyKey ?? randomId("x")}_${merchant.id}`;
    const collection = collections.find((each) => each.intakeId === intakeId) ?? aCollection({ merchant, intakeId });
    collections.push(collection);
    await world.others.publish(collectionSucceeded, [collection]);
  }
}

async function requestsOf({ world, receiver, endpoints }: Context, arrivals: number[]): Promise<Request[]> {
  const rows = (await Promise.all(endpoints.map(({ merchant }) => deliveriesOf(world, merchant)))).flat();
  return receiver.received.map((delivery, at) => {
    const { headers } = delivery;
    const endpoint = endpoints.find(({ secret }) => verifies(delivery, secret));
    const row = rows.find(({ number }) => String(number) === headers["x-service-delivery"]);
    return {
      endpoint: endpoint?.name ?? "none",
      delivery,
      arrivedAt: arrivals[at] ?? Number.NaN,
      verified: endpoint !== undefined,
      attemptStatus: attemptStatus(Number(headers["x-service-attempt"]), row),
    };
  });
}

/** In the words of the vectors. */
function attemptStatus(attempt: number, row: DeliveryRow | undefined): string {
  if (!row || row.attempts < attempt) return "running";
  if (row.attempts > attempt || row.status === "pending") return "failed";
  return row.status === "delivered" ? "success" : "dead-letter";
}

function verifies({ raw, headers }: Received, secret: string): boolean {
  try {
    return Boolean(new Webhook(secret).verify(raw.toString(), { ...headers } as Record<string, string>));
  } catch {
    return false;
  }
}
