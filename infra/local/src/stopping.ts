/** Entrances are closed first, so that the services can finish what is under way; what they write to is stopped last. */
const ORDER = ["entrance", "service", "store"] as const;
type Kind = (typeof ORDER)[number];
export type Stopping = {
  add(kind: Kind, name: string, stop: () => Promise<void>): void;
  stop(code: number): Promise<never>;
  begun(): boolean;
};

/**
 * What has been started, to be stopped on Ctrl-C, when whoever started us is gone, or when the start fails.
 * A second Ctrl-C does not wait: every child ends by itself when this process is gone.
 */
export function createStopping(): Stopping {
  const started: { kind: Kind; name: string; stop: () => Promise<void> }[] = [];
  let under: Promise<never> | undefined;

  async function stopAll(code: number): Promise<never> {
    for (const kind of ORDER) {
      await Promise.all(
        started
          .filter((part) => part.kind === kind)
          .map((part) => part.stop().catch((error) => console.error(`✗ ${part.name} did not stop cleanly: ${error}`))),
      );
    }
    process.exit(code);
  }

  const stopping: Stopping = {
    add: (kind, name, stop) => void started.push({ kind, name, stop }),
    begun: () => under !== undefined,
    stop(code) {
      under ??= stopAll(code);
      return under;
    },
  };
  const onSignal = () => {
    if (under) process.exit(130);
    console.log("\n• stopping (Ctrl-C again: at once)");
    void stopping.stop(0);
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  process.on("disconnect", () => void stopping.stop(0));
  return stopping;
}
