import { answer, type Epochs, type Request } from "@collect/bus";
import { cancelReplay, getLastReplay, invalidFields, replayEvent, startReplay } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { toDeliveryResponse } from "../domain/delivery.ts";
import { noSuchEvent, noUrl } from "../domain/refusals.ts";
import { findDelivery } from "../store/delivery-log.ts";
import { findEvent } from "../store/event-log.ts";
import { cancelRunning, lastReplay, type ReplayRow, replayOne } from "../store/replays.ts";
import { findEndpoint } from "../store/webhook-endpoints.ts";
import { startReplayOf } from "../use-cases/start-replay.ts";

/** Replays recorded events: one event immediately, or a range of the log in the background. */
export function replayRequests({ pool, lists, epochs }: { pool: Pool; lists: Pool; epochs: Epochs }): Request[] {
  return [
    answer(replayEvent, async ({ merchant, sequence }) => {
      epochs.assertCurrent();
      const number = await replayOne(pool, merchant, sequence);
      const delivery = number === undefined ? undefined : await findDelivery(lists, merchant, number);
      if (delivery) return toDeliveryResponse(delivery);
      throw (await findEvent(lists, merchant, sequence)) ? noUrl(await findEndpoint(pool, merchant)) : noSuchEvent();
    }),
    answer(
      startReplay,
      async ({ merchant, from_sequence: from, to_sequence: to, only_undelivered: onlyUndelivered }) => {
        if (to < from)
          throw invalidFields([
            { param: "to_sequence", code: "too_small", message: "must not be below from_sequence" },
          ]);
        const replay = await startReplayOf(pool, merchant, { from, to, onlyUndelivered });
        if (replay) return toReplayResponse(replay);
        throw invalidFields([
          { param: "from_sequence", code: "too_big", message: "must be the sequence number of a recorded event" },
        ]);
      },
    ),
    answer(getLastReplay, async ({ merchant }) => ({ replay: replayOrNull(await lastReplay(pool, merchant)) })),
    answer(cancelReplay, async ({ merchant }) => {
      await cancelRunning(pool, merchant);
      return { replay: replayOrNull(await lastReplay(pool, merchant)) };
    }),
  ];
}

const replayOrNull = (row: ReplayRow | undefined) => (row ? toReplayResponse(row) : null);

function toReplayResponse(row: ReplayRow) {
  return {
    ...row,
    from_sequence: Number(row.from_sequence),
    to_sequence: Number(row.to_sequence),
    at_sequence: Number(row.at_sequence),
    replayed: Number(row.replayed),
  };
}
