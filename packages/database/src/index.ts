export { readClock } from "./clock.ts";
export {
  type DeadLetter,
  deleteDeadLetters,
  listDeadLetters,
  storeDeadLetter,
  takeDeadLetters,
} from "./dead-letters.ts";
export { schemaDifference } from "./drift.ts";
export { migrate } from "./migrate.ts";
export {
  createPool,
  database,
  KEY_LOOKUPS_ONLY,
  type Limits,
  type Pool,
  type Session,
  TIGHT,
  type Transaction,
  transaction,
} from "./pool.ts";
export { type ByMode, byMode, createPools, databases, eachMode, type PoolSizes, type Pools } from "./pools.ts";
export { prismaOver, rowOf, rowsOf } from "./prisma.ts";
export { addressOf, databaseOf, passwordOf, provision, restrict, type ServiceDatabase } from "./provision.ts";
export { digestOf, type ReceivedSpan, receivedRows } from "./received-rows.ts";
export { columns, query, statement } from "./statement.ts";
export { isLocked, isTooSlow, isTransient } from "./transient.ts";
