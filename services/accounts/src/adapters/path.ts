import type { Bus } from "@collect/bus";
import { collectionPosted, collectionSucceeded, type Mode, transferReceived } from "@collect/contracts";

const DOWNSTREAM = [transferReceived, collectionPosted, collectionSucceeded];

/** Messages of up to 64 transfers each: some seconds of work for the slowest stage. */
const BACKLOG_MAX = 200;

/** How soon a worker that found the path busy checks again: before the path runs out of work. */
export const BUSY_POLL_MS = 250;

/** Whether the stages after accounts have a backlog in this mode: redriven transfers then wait, and new ones go first. */
export const isPathBusy = async (bus: Bus, mode: Mode): Promise<boolean> =>
  (await bus.backlog(DOWNSTREAM, mode)) > BACKLOG_MAX;
