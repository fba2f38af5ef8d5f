import { currentTrace, inSpanOf, type Trace } from "@collect/telemetry";
import { watchProgress } from "./progress.ts";
import { createSpacing } from "./spacing.ts";

/** No commit takes this long on a healthy database. One that does no longer blocks the next. */
const LATE_AFTER_MS = 250;
/** Concurrent commits while earlier ones are late: bounded, so that a slow database does not get ever more work. */
const CONCURRENT_MAX = 3;

type Options<Item, Result> = {
  /** Its name in the report of a stuck loop. */
  name: string;
  commit: (items: Item[]) => Promise<Result[]>;
  batchMax: number;
  queueMax: number;
  /** The least time from one batch to the next, unless that one is full. An item after a pause never waits. */
  apartMs?: number;
  refuse: () => Error;
};

type Waiting<Item, Result> = {
  item: Item;
  trace: Trace | undefined;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

/**
 * Callers that arrive while a batch is being committed form the next batch: under load many share one commit, and without
 * `apartMs` no caller waits for a fuller one. `commit` gets the items in order and returns one result each. If it throws, every
 * caller of that batch gets the error. Above `queueMax` the queue refuses. One batch is committed at a time, plus at most two
 * that are late, for example on a silent connection: so batches may be committed out of order.
 */
export function createGroupCommit<Item, Result>(options: Options<Item, Result>): (item: Item) => Promise<Result> {
  const { batchMax } = options;
  const queue: Waiting<Item, Result>[] = [];
  const progress = watchProgress(options.name);
  const spacing = createSpacing(options.apartMs ?? 0);
  const step = () => ({ name: `commit ${options.name}`, kind: "INTERNAL" }) as const;
  /** Batches in progress, and how many of them are late. */
  let committing = 0;
  let late = 0;
  let scheduled = false;
  let hasTimer = false;

  function startNext(): void {
    scheduled = false;
    if (queue.length === 0 || committing > late || committing === CONCURRENT_MAX) return;
    const waitMs = queue.length < batchMax ? spacing.waitMs() : 0;
    if (waitMs === 0) return void commitBatch(queue.splice(0, batchMax));
    if (hasTimer) return;
    hasTimer = true;
    setTimeout(() => {
      hasTimer = false;
      startNext();
    }, waitMs);
  }

  async function commitBatch(batch: Waiting<Item, Result>[]): Promise<void> {
    let isLate = false;
    const lateTimer = setTimeout(() => {
      isLate = true;
      late++;
      startNext();
    }, LATE_AFTER_MS);
    committing++;
    spacing.began();
    progress.began();
    try {
      const results = await inSpanOf(tracesOf(batch), step, () => options.commit(batch.map(({ item }) => item)));
      for (const [index, waiting] of batch.entries()) waiting.resolve(results[index] as Result);
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
    }
    clearTimeout(lateTimer);
    committing--;
    if (isLate) late--;
    progress.ended();
    startNext();
  }

  return (item) => {
    if (queue.length >= options.queueMax) return Promise.reject(options.refuse());
    return new Promise((resolve, reject) => {
      queue.push({ item, trace: currentTrace(), resolve, reject });
      if (scheduled || committing > late) return;
      scheduled = true;
      setImmediate(startNext);
    });
  };
}

const tracesOf = (batch: readonly { trace: Trace | undefined }[]) => batch.map(({ trace }) => trace);
