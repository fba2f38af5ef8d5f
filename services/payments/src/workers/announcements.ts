import type { Bus } from "@collect/bus";
import { type Fact, sessionChanged } from "@collect/contracts";
import { createGroupCommit, type Logger } from "@collect/runtime";
import type { PaymentSession } from "../domain/session.ts";
import { snapshotOf } from "../domain/session-view.ts";

/** Tells whoever keeps copies of these sessions how they stand. Nobody waits for it. */
export type Announce = (sessions: PaymentSession[]) => void;

/** What is not told is only logged: a copy repairs itself by reading. */
export function createAnnouncements({ bus, log }: { bus: Bus; log: Logger }): Announce {
  const tell = createGroupCommit<Fact<typeof sessionChanged>, undefined>({
    name: "announcements",
    batchMax: 200,
    queueMax: 10_000,
    refuse: () => new Error("too many changes wait to be told"),
    commit: async (snapshots) => {
      await bus.publish(sessionChanged, snapshots);
      return snapshots.map(() => undefined);
    },
  });
  return (sessions) => {
    for (const session of sessions)
      tell(snapshotOf(session)).catch((error) =>
        log.warn({ session: session.reference, err: error }, "a change of a session could not be told"),
      );
  };
}
