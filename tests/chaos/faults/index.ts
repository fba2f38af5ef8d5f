import type { FaultKind } from "../schedule.ts";
import type { Injection } from "../world.ts";
import { halfOpen, silent } from "./connections.ts";
import { fullDisk } from "./disks.ts";
import { lock } from "./locks.ts";
import { clock, kill, stop } from "./processes.ts";
import { restore } from "./restores.ts";
import { brokerKill, brokerStop, brokerWipe, databaseKill } from "./servers.ts";
import { fullStreams } from "./streams.ts";

export const INJECTIONS: Record<FaultKind, Injection> = {
  kill,
  stop,
  clock,
  "broker-kill": brokerKill,
  "broker-stop": brokerStop,
  "broker-wipe": brokerWipe,
  "database-kill": databaseKill,
  "silent-database": silent("database"),
  "silent-broker": silent("broker"),
  "half-open-database": halfOpen("database"),
  "half-open-broker": halfOpen("broker"),
  lock,
  "full-streams": fullStreams,
  "full-disk-database": fullDisk,
  "full-disk-broker": fullDisk,
  restore,
};
