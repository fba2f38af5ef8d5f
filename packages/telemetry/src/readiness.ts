/** Resolves while it holds, and throws otherwise. */
export type Check = () => Promise<void>;
export type Checks = Record<string, Check>;

/** The reason is shown by /readyz, so it names nothing secret. Other errors are reported by `onChange` only. */
export class NotReady extends Error {}

/** A check as /readyz shows it. `since` is the time of the last change between ok and failed. */
export type CheckState = { status: "ok" | "failed"; since: string; reason?: string };

/** A result is used for this long, so that probes, however many, ask the database once a second. */
const REMEMBERED_MS = 1_000;
/** Within the time-out of a probe. A check that takes longer has failed, and is not begun again before it ends. */
const WITHIN_MS = 2_000;

export type Readiness = () => Promise<Record<string, CheckState>>;

/** Reads the checks, each at most once a second and for at most two seconds. */
export function createReadiness(options: {
  checks: Checks;
  onChange: (name: string, state: CheckState, error: unknown) => void;
  rememberedMs?: number;
  withinMs?: number;
}): Readiness {
  const { checks, onChange, rememberedMs = REMEMBERED_MS, withinMs = WITHIN_MS } = options;
  const watched = Object.entries(checks).map(([name, check]) => {
    const changed = (state: CheckState, error?: unknown) => onChange(name, state, error);
    return { name, read: watchCheck(check, { rememberedMs, withinMs, changed }) };
  });
  return async () =>
    Object.fromEntries(await Promise.all(watched.map(async ({ name, read }) => [name, await read()] as const)));
}

type Watching = {
  rememberedMs: number;
  withinMs: number;
  changed: (state: CheckState, error?: unknown) => void;
};

function watchCheck(check: Check, { rememberedMs, withinMs, changed }: Watching): () => Promise<CheckState> {
  let known: { state: CheckState; at: number } | undefined;
  let refreshing: Promise<CheckState> | undefined;
  let isPending = false;

  async function refresh(): Promise<CheckState> {
    const { status, reason, error } = await attempt();
    const isChanged = known?.state.status !== status;
    const since = isChanged || !known ? new Date().toISOString() : known.state.since;
    const state: CheckState = { status, since, ...(reason !== undefined && { reason }) };
    if (isChanged && (known || status === "failed")) changed(state, error);
    known = { state, at: performance.now() };
    refreshing = undefined;
    return state;
  }

  async function attempt(): Promise<Pick<CheckState, "status" | "reason"> & { error?: unknown }> {
    if (isPending) return { status: "failed", reason: NO_ANSWER };
    isPending = true;
    const work = check().finally(() => {
      isPending = false;
    });
    try {
      await within(withinMs, work);
      return { status: "ok" };
    } catch (error) {
      return { status: "failed", error, ...(error instanceof NotReady && { reason: error.message }) };
    }
  }

  return async () => {
    if (known && performance.now() - known.at < rememberedMs) return known.state;
    refreshing ??= refresh();
    return refreshing;
  };
}

const NO_ANSWER = "no answer in time";

/** The work's result, or NotReady if it takes longer; the work itself continues. */
async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new NotReady(NO_ANSWER)), ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
