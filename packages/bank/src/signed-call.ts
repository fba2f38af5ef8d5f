import { Problem } from "@collect/contracts";
import { Agent, request } from "undici";
import type { z } from "zod";
import { SIGNATURE_HEADER, signBody } from "./signature.ts";

type Call<Output> = {
  method: "GET" | "POST";
  path: string;
  body?: object;
  /** What an answer must be to be believed. */
  schema: z.ZodType<Output>;
  /** What the caller is told when there is no such answer. */
  failure: string;
  signal?: AbortSignal | undefined;
};

export type SignedCall = {
  <Output>(call: Call<Output>): Promise<Output>;
  /** The same for what may not be there: undefined when the bank itself says so. */
  find<Output>(call: Call<Output>): Promise<Output | undefined>;
};

/** Enough for a burst of new customers; a bank that hangs holds no more than these. */
const CONNECTIONS = 16;
const ANSWER_BYTES_MAX = 16_384;

/** Calls to the partner bank: signed, bounded in time and size. They throw `provider_timeout` or `provider_error`. */
export function createSignedCall(options: { url: string; secret: string; timeoutMs: number }): SignedCall {
  const base = options.url.replace(/\/$/, "");
  const dispatcher = new Agent({ connections: CONNECTIONS, maxResponseSize: ANSWER_BYTES_MAX });

  async function send({ method, path, body }: Call<unknown>, signal: AbortSignal) {
    const bytes = body === undefined ? "" : JSON.stringify(body);
    const headers = { "content-type": "application/json", [SIGNATURE_HEADER]: signBody(bytes, options.secret) };
    const answer = await request(`${base}${path}`, { method, headers, body: bytes || null, signal, dispatcher });
    return { status: answer.statusCode, text: await answer.body.text() };
  }

  async function ask<Output>(call: Call<Output>, mayBeMissing: boolean): Promise<Output | undefined> {
    const deadline = AbortSignal.timeout(options.timeoutMs);
    const signal = call.signal ? AbortSignal.any([call.signal, deadline]) : deadline;
    try {
      const { status, text } = await send(call, signal);
      if (mayBeMissing && status === 404 && saysNotFound(json(text))) return undefined;
      if (status > 299) throw new Error(`the partner bank answered ${status}`);
      return call.schema.parse(json(text));
    } catch (cause) {
      if (!signal.aborted) throw new Problem("provider_error", call.failure, { cause });
      const detail = "The partner bank did not respond in time. It is safe to repeat the call.";
      throw new Problem("provider_timeout", detail, { cause });
    }
  }

  const call = async <Output>(given: Call<Output>) => (await ask(given, false)) as Output;
  return Object.assign(call, { find: <Output>(given: Call<Output>) => ask(given, true) });
}

/** Only the bank's own word counts. The 404 of a proxy, or of a wrong address, says nothing about what the bank knows. */
function saysNotFound(body: unknown): boolean {
  return typeof body === "object" && body !== null && "code" in body && body.code === "not_found";
}

/** The parser's own error quotes what it read, and a cause is logged. */
function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("the partner bank answered in no JSON");
  }
}
