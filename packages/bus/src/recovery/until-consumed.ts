import { setTimeout as sleep } from "node:timers/promises";
import { type FactEvent, MODES } from "@collect/contracts";
import type { Bus } from "../connection/connect.ts";
import { declared, infoOfDurable, lastSequence } from "../connection/streams.ts";
import type { Recover } from "./recovery-runner.ts";

const POLL_INTERVAL_MS = 200;

/**
 * Waits, as a step of a recovery, until everything that was published of these events before it is consumed, in both modes. What is published
 * meanwhile is not waited for: under load that might never end.
 */
export async function untilConsumed(
  { manager }: Pick<Bus, "manager">,
  events: readonly FactEvent[],
  progress: Omit<Parameters<Recover>[1], "waitsFor">,
): Promise<void> {
  let open = await Promise.all(
    declared(events, MODES).durables.map(async (durable) => ({ durable, last: await lastSequence(manager, durable) })),
  );
  for (;;) {
    const infos = await Promise.all(open.map(({ durable }) => infoOfDurable(manager, durable)));
    open = open.filter(({ last }, index) => isBehind(infos[index], last));
    if (open.length === 0) return;
    await progress.step("waiting until peers have consumed all published events");
    await sleep(POLL_INTERVAL_MS, undefined, { signal: progress.signal });
  }
}

type Info = Awaited<ReturnType<typeof infoOfDurable>>;

/** The floor moves with the durable's own messages only, and the last one may be of another event: then nothing waits. */
const isBehind = (info: Info, last: number): boolean =>
  info !== undefined && info.num_pending + info.num_ack_pending > 0 && info.ack_floor.stream_seq < last;
