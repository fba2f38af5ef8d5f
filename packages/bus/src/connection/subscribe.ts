import type { Logger } from "@collect/runtime";
import { type Msg, type NatsConnection, PermissionViolationError } from "nats";

/** Ends with what was received before. */
export type Drainable = { drain(): Promise<void> };
export type Subscribe = (subject: string, given: { queue?: string; onMessage: (message: Msg) => void }) => Drainable;
export type Subscriptions = {
  subscribe: Subscribe;
  /** The subjects that the broker refuses at present. */
  refused(): string[];
};
type Entry = { subject: string; again: () => Promise<boolean>; isRefused: boolean; timer?: NodeJS.Timeout };

const AGAIN_AFTER_MS = 2_000;

/**
 * A subscription that the broker refuses is asked for again, because the permissions of a release may come after its processes.
 * What it serves is answered by other replicas meanwhile, or by none.
 */
export function createSubscriptions(nats: NatsConnection, log: Logger): Subscriptions {
  const entries = new Set<Entry>();
  void watch();

  /** The broker does not name the queue of a subscription that it ends, so the connection does not find that by itself. */
  async function watch(): Promise<void> {
    for await (const event of nats.status()) {
      if (event.type !== "error" || !(event.error instanceof PermissionViolationError)) continue;
      const { operation, subject } = event.error;
      if (operation === "subscription") for (const entry of entries) if (entry.subject === subject) refuse(entry);
    }
  }

  function refuse(entry: Entry): void {
    const { subject } = entry;
    if (!entry.isRefused) log.error({ subject }, "the message broker refuses a subscription");
    entry.isRefused = true;
    clearTimeout(entry.timer);
    entry.timer = setTimeout(async () => {
      if (nats.isClosed() || !(await entry.again())) return;
      entry.isRefused = false;
      log.info({ subject }, "the message broker accepts the subscription again");
    }, AGAIN_AFTER_MS).unref();
  }

  return {
    refused: () => [...new Set([...entries].filter(({ isRefused }) => isRefused).map(({ subject }) => subject))],
    subscribe(subject, { queue, onMessage }) {
      const open = () =>
        nats.subscribe(subject, {
          ...(queue && { queue }),
          callback: (error, message) => void (error ?? onMessage(message)),
        });
      let subscription = open();
      const again = async () => {
        subscription.unsubscribe();
        subscription = open();
        // A refusal comes before the answer to what was sent after it.
        await nats.flush().catch(() => undefined);
        return !subscription.isClosed();
      };
      const entry: Entry = { subject, again, isRefused: false };
      entries.add(entry);
      return {
        drain: async () => {
          clearTimeout(entry.timer);
          entries.delete(entry);
          if (!subscription.isClosed()) await subscription.drain();
        },
      };
    },
  };
}
