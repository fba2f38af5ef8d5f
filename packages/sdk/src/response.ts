/** What a response says beside its JSON. */
export type ResponseMetadata = {
  status: number;
  /** Quote this id when you contact support. */
  requestId: string | null;
  /** The budget that the call counted against; null if it has none. */
  rateLimit: RateLimit | null;
  headers: Headers;
};

/** A budget of calls, which all keys of a merchant share. */
export type RateLimit = {
  name: string;
  /** Calls in any `windowS` seconds. */
  limit: number;
  windowS: number;
  /** Calls that are left now. */
  remaining: number;
  /** Seconds until more are left. */
  resetS: number;
};

/** The promise of a call: its result, or with `withResponse` also what the response says beside it. */
export type ApiPromise<Result> = Promise<Result> & {
  withResponse(): Promise<{ data: Result; response: ResponseMetadata }>;
};

export function apiPromise<Result>(exchange: Promise<{ data: Result; response: ResponseMetadata }>) {
  const result = exchange.then(({ data }) => data);
  return Object.assign(result, {
    withResponse() {
      // Only one of the two is awaited: the other must not count as an unhandled rejection.
      result.catch(() => {});
      return exchange;
    },
  });
}

export function metadataOf({ status, headers }: Response): ResponseMetadata {
  return { status, requestId: headers.get("x-request-id"), rateLimit: rateLimitOf(headers), headers };
}

/** As in draft-ietf-httpapi-ratelimit-headers-08: `"reads";q=600;w=3600` and `"reads";r=599;t=3660`. */
function rateLimitOf(headers: Headers): RateLimit | null {
  const policy = headers.get("ratelimit-policy")?.match(/^"(\w+)";q=(\d+);w=(\d+)$/);
  const left = headers.get("ratelimit")?.match(/^"(\w+)";r=(\d+);t=(\d+)$/);
  const [, name, limit, windowS] = policy ?? [];
  const [, , remaining, resetS] = left ?? [];
  if (name === undefined || remaining === undefined) return null;
  return {
    name,
    limit: Number(limit),
    windowS: Number(windowS),
    remaining: Number(remaining),
    resetS: Number(resetS),
  };
}
