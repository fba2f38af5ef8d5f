import type { Bus } from "@collect/bus";
import { type Fact, type Mode, sessionChanged } from "@collect/contracts";
import { createGroupCommit, type Logger } from "@collect/runtime";
import type { PaymentSession } from "../domain/session.ts";
import { snapshotOf } from "../domain/session-view.ts";

/** Publishes the state of these sessions to the services that keep copies. Callers do not wait for it. */
export type Announce = (sessions: PaymentSession[]) => void;

/**
 * A failure to publish is only logged: a copy repairs itself by reading from payments. Each mode has its own queue, so
 * that a blocked test queue does not delay live changes.
 */
export function createAnnouncements({ bus, log }: { bus: Bus; log: Logger }): Announce {
  const publish = { live: publisher("live", bus), test: publisher("test", bus) };
  return (sessions) => {
    for (const session of sessions)
      publish[session.mode](snapshotOf(session)).catch((error) =>
        log.warn({ session: session.reference, err: error }, "a session change could not be published"),
      );
  };
}

const publisher = (mode: Mode, bus: Bus) =>
  createGroupCommit<Fact<typeof sessionChanged>, undefined>({
    name: `announcements.${mode}`,
    batchMax: 200,
    queueMax: 10_000,
    refuse: () => new Error("too many session changes are queued"),
    commit: async (snapshots) => {
      await bus.publish(sessionChanged, snapshots);
      return snapshots.map(() => undefined);
    },
  });
