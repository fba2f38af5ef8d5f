import { once } from "node:events";
import { Problem } from "@collect/contracts";
import { z } from "zod";
import { createHttpCall, type HttpCall, type HttpResponse } from "../http-call.ts";
import { createTokens } from "./tokens.ts";

/** What every call to Monnify needs. */
export type MonnifyAccess = {
  /** `https://api.monnify.com`, or `https://sandbox.monnify.com`. */
  url: string;
  apiKey: string;
  secretKey: string;
  /** The timeout of one operation of the port, all of its calls and a login together. */
  timeoutMs: number;
  /** The time by which an access token is replaced. */
  now?: () => Promise<Date>;
};

type Request<Output> = Pick<HttpCall<unknown>, "method" | "path" | "body" | "failure" | "signal"> & {
  /** The schema of `responseBody`. */
  schema: z.ZodType<Output>;
};

/** What Monnify said: a body, or that it refuses. Its message may quote what it was sent, so it is read and never kept. */
export type Result<Output> = { body: Output } | { refusal: Refusal };
export type Refusal = { status: number; code: string; reason: Reason };

/** The refusals that matter to us, by what Monnify's documentation and its users quote. The first that fits counts. */
const REASONS = {
  reference_taken: /same reference|reference already exists?/i,
  customer_limit: /more than \d+ account/i,
  contract: /contract/i,
  identity: /\b(bvn|nin)\b/i,
  not_found: /(cannot|could not|can't|unable to) find|no transaction|does not exist|not found/i,
  account: /account (number|details)|could not be validated|bank code|invalid account/i,
  other: /(?:)/,
} as const;
type Reason = keyof typeof REASONS;

export type Monnify = {
  /** Throws `provider_timeout` or `provider_error`; a refusal is a result. */
  request<Output>(request: Request<Output>): Promise<Result<Output>>;
  /** The same, where a refusal is a `provider_error` as well. */
  call<Output>(request: Request<Output>): Promise<Output>;
  /** The signal of one operation that makes several calls: they share its timeout. */
  deadline(signal?: AbortSignal): AbortSignal;
};

/** The list of banks is the longest response: 40 kB in 2024. */
const RESPONSE_BYTES_MAX = 262_144;

/** Monnify's API: everything in one envelope, under an access token that one login a time gets. */
export function createClient(access: MonnifyAccess): Monnify {
  const { url, apiKey, secretKey, timeoutMs, now = async () => new Date() } = access;
  const bounds = { url, timeoutMs, responseBytesMax: RESPONSE_BYTES_MAX };
  const basic = Buffer.from(`${apiKey}:${secretKey}`).toString("base64");
  const logIn = createHttpCall({ ...bounds, sign: () => ({ authorization: `Basic ${basic}` }) });
  const send = createHttpCall({ ...bounds, sign: async () => ({ authorization: `Bearer ${await tokens.get()}` }) });
  const tokens = createTokens({ now, login: () => logIn(LOGIN) });
  const deadline = (signal?: AbortSignal) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    return signal ? AbortSignal.any([signal, timeout]) : timeout;
  };

  async function request<Output>({ schema, ...given }: Request<Output>): Promise<Result<Output>> {
    const call = { ...given, signal: deadline(given.signal), read: resultOf(schema) };
    const token = await within(call, tokens.get());
    const first = await send(call);
    if (first !== "unauthorized") return first;
    tokens.drop(token);
    await within(call, tokens.get());
    const second = await send(call);
    if (second === "unauthorized") throw refused(given.failure, { status: 401, code: "", reason: "other" });
    return second;
  }

  return {
    request,
    deadline,
    async call(given) {
      const result = await request(given);
      if ("refusal" in result) throw refused(given.failure, result.refusal);
      return result.body;
    },
  };
}

/** The Problem of a refusal. */
export function refused(detail: string, { status, code, reason }: Refusal): Problem {
  const cause = new Error(`Monnify refused with ${status}, code ${JSON.stringify(code)}, reason ${reason}`);
  return new Problem("provider_error", detail, { cause });
}

/** The token, unless the signal ends first: the login that all wait for has a timeout of its own. */
async function within(
  { signal, failure }: { signal: AbortSignal; failure: string },
  token: Promise<string>,
): Promise<string> {
  const aborted = signal.aborted ? undefined : once(signal, "abort").then(() => undefined);
  const value = await Promise.race([aborted, token]).catch((cause) => {
    throw new Problem(isTimeout(cause) ? "provider_timeout" : "provider_error", failure, { cause });
  });
  if (value !== undefined) return value;
  throw new Problem("provider_timeout", "The partner bank did not respond in time. It is safe to repeat the call.");
}

const isTimeout = (error: unknown) => error instanceof Problem && error.code === "provider_timeout";

const Envelope = z.object({ requestSuccessful: z.literal(true), responseBody: z.unknown() });
const Refused = z.object({
  requestSuccessful: z.literal(false),
  responseCode: z.coerce.string().transform((code) => code.slice(0, 10).replace(/\W/g, "")),
  responseMessage: z.string().nullish(),
});

/**
 * The result of a call; "unauthorized" if its token is not valid any more. An error of the server, and whatever is not in
 * Monnify's envelope, such as a proxy's 404, is thrown: it says nothing about what was done.
 */
const resultOf =
  <Output>(schema: z.ZodType<Output>) =>
  (response: HttpResponse): Result<Output> | "unauthorized" => {
    const { status } = response;
    if (status === 401) return disbursementRefusal(response) ?? "unauthorized";
    if (status >= 500) throw new Error(`Monnify answered ${status}`);
    const body = response.json();
    const refusal = Refused.safeParse(body);
    if (refusal.success) return { refusal: refusalOf(status, refusal.data) };
    if (status > 299) throw new Error(`Monnify answered ${status}`);
    return { body: schema.parse(Envelope.parse(body).responseBody) };
  };

/** A 401 with a code of a disbursement is about who may send money (D06), not about the token. */
function disbursementRefusal({ status, json }: HttpResponse): { refusal: Refusal } | undefined {
  try {
    const refused = Refused.parse(json());
    return refused.responseCode.startsWith("D") ? { refusal: refusalOf(status, refused) } : undefined;
  } catch {
    return undefined;
  }
}

const refusalOf = (status: number, { responseCode: code, responseMessage }: z.output<typeof Refused>): Refusal => ({
  status,
  code,
  reason: reasonOf(responseMessage ?? ""),
});

const reasonOf = (message: string): Reason =>
  (Object.keys(REASONS) as Reason[]).find((reason) => REASONS[reason].test(message)) ?? "other";

const LoginBody = z.object({ accessToken: z.string().min(1), expiresIn: z.coerce.number().positive() });

const LOGIN = {
  method: "POST",
  path: "/api/v1/auth/login",
  body: {},
  failure: "The partner bank did not accept our credentials.",
  read: (response: HttpResponse) => {
    const result = resultOf(LoginBody)(response);
    if (result === "unauthorized" || "refusal" in result)
      throw new Error(`Monnify refused the login (${response.status})`);
    return { accessToken: result.body.accessToken, expiresInS: result.body.expiresIn };
  },
} as const;
