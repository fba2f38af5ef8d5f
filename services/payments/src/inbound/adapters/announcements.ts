import type { Bus } from "@collect/bus";
import { type Fact, type Mode, sessionChanged } from "@collect/contracts";
import { createGroupCommit, type Logger } from "@collect/runtime";
import type { PaymentSession } from "../domain/session.ts";
import { snapshotOf } from "../domain/session-view.ts";

/** Tells whoever keeps copies of these sessions how they stand. Nobody waits for it. */
export type Announce = (sessions: PaymentSession[]) => void;

/**
 * What is not published is only logged: a copy repairs itself by reading. Each mode has a queue of its own, so that what
 * keeps test changes from being published keeps no live one.
 */
export function createAnnouncements({ bus, log }: { bus: Bus; log: Logger }): Announce {
  const publish = { live: publisher("live", bus), test: publisher("test", bus) };
  return (sessions) => {
    for (const session of sessions)
      publish[session.mode](snapshotOf(session)).catch((error) =>
        log.warn({ session: session.reference, err: error }, "a change of a session could not be told"),
      );
  };
}

const publisher = (mode: Mode, bus: Bus) =>
  createGroupCommit<Fact<typeof sessionChanged>, undefined>({
    name: `announcements.${mode}`,
    batchMax: 200,
    queueMax: 10_000,
    refuse: () => new Error("too many changes wait to be told"),
    commit: async (snapshots) => {
      await bus.publish(sessionChanged, snapshots);
      return snapshots.map(() => undefined);
    },
  });
