import type { z } from "zod";
import { type CallBank, createHttpCall, type HttpResponse } from "../http-call.ts";
import { signCall } from "./call-signature.ts";

export type SignedCallOptions = {
  /** The base URL of the bank's API. */
  url: string;
  secret: string;
  /** The timeout of a whole call, including waiting for a connection and reading the response. */
  timeoutMs: number;
  /** The time at which calls are signed. The bank refuses a wrong one, and the clock of a process may be a day off. */
  now?: () => Promise<Date>;
};

/** Calls in our own protocol: each is signed over method, path, time and body. */
export function createSignedCall({
  url,
  secret,
  timeoutMs,
  now = async () => new Date(),
}: SignedCallOptions): CallBank {
  return createHttpCall({ url, timeoutMs, sign: async (request) => signCall(request, secret, await now()) });
}

/** Reads a successful response that matches the schema. */
export const ok =
  <Output>(schema: z.ZodType<Output>) =>
  ({ status, json }: HttpResponse): Output => {
    if (status > 299) throw new Error(`the partner bank answered ${status}`);
    return schema.parse(json());
  };

/**
 * The same for a resource that may not exist: undefined if the bank itself says so. A 404 from a proxy, or for a wrong URL,
 * does not mean that the bank does not know it.
 */
export const found =
  <Output>(schema: z.ZodType<Output>) =>
  (response: HttpResponse): Output | undefined =>
    response.status === 404 && saysNotFound(response.json()) ? undefined : ok(schema)(response);

function saysNotFound(body: unknown): boolean {
  return typeof body === "object" && body !== null && "code" in body && body.code === "not_found";
}
