import type { ByMode } from "@collect/database";
import type { Job } from "../domain/job.ts";
import type { Room } from "../store/deliveries.ts";

/** `skipped` jobs say nothing about the receiver. */
export type Outcome = "acknowledged" | "failed" | "skipped";

export type Dispatcher = {
  /** Takes jobs and starts what it can. Answers with those there was no room for. */
  offer(jobs: Job[]): Job[];
  /** The lanes in use with their room for more, the room of any other, and whether there is room at all. */
  room(): { lanes: Room[]; otherRoom: number; full: boolean };
  /** Starts nothing more. Answers with what waits, and a promise of the end of what runs. */
  stop(): { waiting: Job[]; finished: Promise<void> };
};

/** Attempts of one mode in this process. */
export type Capacity = {
  runningMax: number;
  waitingMax: number;
  /** Above this many waiting jobs nothing more is claimed; what was just recorded may still come. */
  claimBelow: number;
};
/** Each mode has its own: whatever test merchants' servers do, live attempts are made. */
export const CAPACITY: ByMode<Capacity> = {
  live: { runningMax: 768, waitingMax: 6_144, claimBelow: 1_536 },
  test: { runningMax: 256, waitingMax: 2_048, claimBelow: 512 },
};
const LANE_WAITING_MAX = 1_024;
/** A receiver begins with a few places, gains one with each acknowledgement and loses half of them with each failure. */
const LANE_PLACES = { first: 8, max: 32, min: 1 };

type Lane = Pick<Job, "merchantId" | "mode"> & { places: number; running: number; waiting: Job[]; foundFull: boolean };

type Options = {
  capacity: Capacity;
  perform(job: Job): Promise<Outcome>;
  /** A lane that was found full has nothing waiting any more. */
  onRoom(): void;
};

/**
 * Places for attempts of one mode in this process: so many in all, and so many in the lane of each merchant, served in turn.
 * A slow or dead receiver holds its own few places and nobody else's.
 */
export function createDispatcher({ capacity, perform, onRoom }: Options): Dispatcher {
  const lanes = new Map<string, Lane>();
  /** Lanes with a job to start and a place for it, in the order of their turn. */
  const ready = new Set<Lane>();
  let running = 0;
  let waiting = 0;
  let stopped = false;
  let finish: (() => void) | undefined;

  function accept(job: Job): boolean {
    const lane = laneOf(job);
    if (stopped || waiting >= capacity.waitingMax || lane.waiting.length >= LANE_WAITING_MAX) return false;
    lanes.set(keyOf(job), lane);
    lane.waiting.push(job);
    waiting++;
    if (lane.running < lane.places) ready.add(lane);
    return true;
  }

  function laneOf(job: Job): Lane {
    const { merchantId, mode } = job;
    return (
      lanes.get(keyOf(job)) ?? {
        merchantId,
        mode,
        places: LANE_PLACES.first,
        running: 0,
        waiting: [],
        foundFull: false,
      }
    );
  }

  /** A lane that is still ready goes to the end of the set, and so gets its turn again in this same loop. */
  function startReady(): void {
    for (const lane of ready) {
      if (running >= capacity.runningMax) return;
      ready.delete(lane);
      const job = lane.waiting.shift();
      if (job) start(lane, job);
      if (lane.waiting.length > 0 && lane.running < lane.places) ready.add(lane);
    }
  }

  function start(lane: Lane, job: Job): void {
    waiting--;
    running++;
    lane.running++;
    void perform(job).then((outcome) => end(lane, job, outcome));
  }

  function end(lane: Lane, job: Job, outcome: Outcome): void {
    running--;
    lane.running--;
    if (outcome === "acknowledged") lane.places = Math.min(lane.places + 1, LANE_PLACES.max);
    if (outcome === "failed") lane.places = Math.max(lane.places >> 1, LANE_PLACES.min);
    if (lane.running === 0 && lane.waiting.length === 0) lanes.delete(keyOf(job));
    if (lane.waiting.length > 0 && lane.running < lane.places) ready.add(lane);
    startReady();
    if (lane.foundFull && lane.waiting.length === 0) {
      lane.foundFull = false;
      onRoom();
    }
    if (running === 0) finish?.();
  }

  return {
    offer(jobs) {
      const refused = jobs.filter((job) => !accept(job));
      startReady();
      return refused;
    },
    room: () => ({
      lanes: [...lanes.values()].map((lane) => ({ merchantId: lane.merchantId, mode: lane.mode, room: roomIn(lane) })),
      otherRoom: roomOf(LANE_PLACES.first),
      full: stopped || waiting >= capacity.claimBelow,
    }),
    stop() {
      stopped = true;
      ready.clear();
      const left = [...lanes.values()].flatMap((lane) => lane.waiting.splice(0));
      waiting = 0;
      const finished = Promise.withResolvers<void>();
      finish = finished.resolve;
      if (running === 0) finish();
      return { waiting: left, finished: finished.promise };
    },
  };
}

function roomIn(lane: Lane): number {
  const room = Math.max(0, roomOf(lane.places) - lane.running - lane.waiting.length);
  lane.foundFull = room === 0;
  return room;
}

/** Some wait beside those that run: the next ones are at hand when the first are done. */
const roomOf = (places: number): number => 4 * places;

const keyOf = ({ mode, merchantId }: Job): string => `${mode} ${merchantId}`;
