import type { Bus } from "@collect/bus";
import { getWebhookEndpoint, Problem } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { contextOf, type HttpApp, onlyMethods } from "@collect/http";
import { verifyWebhook, WebhookVerificationError } from "@collect/sdk";
import express, { type Request, type RequestHandler, type Response } from "express";
import { RECEIVER_PATH, shownHeaders, stored } from "../domain/receiver.ts";
import { findReceiverAt, type Receiver, storeReceived } from "../store/receivers.ts";
import type { RateLimits } from "./rate-limits.ts";

/** Events are a few kilobytes. */
const BODY_BYTES_MAX = 64 * 1024;
/** Longer than any sender waits. */
const HELD_MS = 20_000;
const HELD_MAX = 50;

type Deps = { bus: Bus; pool: Pool; limits: RateLimits };

/**
 * The test receivers as merchants' servers: anybody who knows the address can post to it, so what comes is verified as every
 * server should, with the SDK and the merchant's own secret of test mode.
 */
export function receiverRoutes({ bus, pool, limits }: Deps): (app: HttpApp) => void {
  const hold = createHold();
  const find: RequestHandler = async (request, response, next) => {
    const token = String(request.params.token);
    const receiver = /^[A-Za-z0-9_-]{43}$/.test(token) ? await findReceiverAt(pool, token) : undefined;
    if (!receiver) throw new Problem("not_found", "There is nothing at this URL.");
    Object.assign(response.locals, { receiver, merchantId: receiver.merchant_id, mode: "test" });
    next();
  };
  const receive: RequestHandler = async (request, response) => {
    const receiver: Receiver = response.locals.receiver;
    const body = bytesOf(request);
    assertTestMode(body);
    const secrets = await secretsOf(bus, receiver, response);
    const { fault, challenge } = judged(body, request.headers, secrets);
    const answered = challenge !== undefined ? 200 : fault !== null ? 400 : STATUS[receiver.behavior];
    await storeReceived(pool, receiver.merchant_id, {
      webhook_id: stored(request.get("webhook-id") ?? "").slice(0, 200) || null,
      headers: shownHeaders(request.headers),
      body: stored(body.toString()),
      fault,
      answered,
    });
    if (answered === null) return hold(response);
    response
      .status(answered)
      .type("text")
      .send(challenge ?? "");
  };
  return (app) => {
    const path = `${RECEIVER_PATH}:token`;
    const limit = limits.limit("test_receiver", (_request, response) => response.locals.merchantId);
    app.post(path, find, limit, express.raw({ type: () => true, limit: BODY_BYTES_MAX, inflate: false }), receive);
    app.all(path, onlyMethods("POST"));
  };
}

const STATUS = { ok: 200, error: 500, timeout: null } as const;

const bytesOf = ({ body }: Request): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));

/** Of live mode nothing is kept: people's payments do not belong here. */
function assertTestMode(body: Buffer): void {
  if (modeOf(body) === "live") throw new Problem("not_found", "The test receiver takes no webhooks of live mode.");
}

function modeOf(body: Buffer): unknown {
  try {
    return Object(JSON.parse(body.toString())).mode;
  } catch {
    return undefined;
  }
}

async function secretsOf(bus: Bus, { merchant_id: id }: Receiver, response: Response): Promise<string[]> {
  const merchant = { id, mode: "test" as const };
  const { secret, staged_secret } = await bus.request(getWebhookEndpoint, { merchant }, contextOf(response));
  return staged_secret === null ? [secret] : [secret, staged_secret];
}

/** Why a webhook is not accepted, or null; and what a challenge asks for. */
function judged(body: Buffer, headers: Request["headers"], secrets: string[]) {
  try {
    const event = verifyWebhook(body, headers, secrets);
    return { fault: null, challenge: event.event === "endpoint.challenge" ? event.data.challenge : undefined };
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return { fault: error.message, challenge: undefined };
  }
}

/** Leaves some requests without a response, until their senders have given up. */
function createHold() {
  let held = 0;
  return (response: Response): void => {
    if (held >= HELD_MAX) throw new Problem("service_unavailable", "Too many requests wait for a timeout.");
    held++;
    const timer = setTimeout(() => response.destroy(), HELD_MS).unref();
    response.once("close", () => {
      held--;
      clearTimeout(timer);
    });
  };
}
