import type { Bus } from "@collect/bus";
import { collectionPosted, collectionSucceeded, type Mode, transferReceived } from "@collect/contracts";

const DOWNSTREAM = [transferReceived, collectionPosted, collectionSucceeded];

/** Messages, of up to 64 transfers each, that are some seconds of work for the slowest stage. */
const ENOUGH = 200;

/** Whoever found the path busy looks again this soon: before it has run out of work. */
export const LOOK_AGAIN_MS = 250;

/** Whether the stages behind accounts have enough to do in this mode: what is sent again waits then, and the new goes first. */
export const isPathBusy = async (bus: Bus, mode: Mode): Promise<boolean> =>
  (await bus.backlog(DOWNSTREAM, mode)) > ENOUGH;
