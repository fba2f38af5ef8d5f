/** Ingress is closed first, so that the services can finish the work in progress; the stores they write to are stopped last. */
const ORDER = ["ingress", "service", "store"] as const;
type Kind = (typeof ORDER)[number];
export type Stopping = {
  add(kind: Kind, name: string, stop: () => Promise<void>): void;
  stop(code: number): Promise<never>;
  hasBegun(): boolean;
};

/**
 * Stops everything that was started: on Ctrl-C, when the parent process exits, or when the start fails.
 * A second Ctrl-C does not wait: every child exits when this process does.
 */
export function createStopping(): Stopping {
  const started: { kind: Kind; name: string; stop: () => Promise<void> }[] = [];
  let inProgress: Promise<never> | undefined;

  async function stopAll(code: number): Promise<never> {
    for (const kind of ORDER) {
      await Promise.all(
        started
          .filter((component) => component.kind === kind)
          .map((component) =>
            component.stop().catch((error) => console.error(`✗ ${component.name} did not stop cleanly: ${error}`)),
          ),
      );
    }
    process.exit(code);
  }

  const stopping: Stopping = {
    add: (kind, name, stop) => void started.push({ kind, name, stop }),
    hasBegun: () => inProgress !== undefined,
    stop(code) {
      inProgress ??= stopAll(code);
      return inProgress;
    },
  };
  const onSignal = () => {
    if (inProgress) process.exit(130);
    console.log("\n• stopping (press Ctrl-C again to stop immediately)");
    void stopping.stop(0);
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  process.on("disconnect", () => void stopping.stop(0));
  return stopping;
}
