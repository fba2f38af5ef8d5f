export { createClock, createNow, readClock } from "./clock.ts";
export { database } from "./component.ts";
export {
  countDeadLetters,
  type DeadLetter,
  deleteDeadLetters,
  discardDeadLetters,
  eraseDeadLetters,
  listDeadLetters,
  storeDeadLetter,
  takeDeadLetters,
} from "./dead-letters.ts";
export { schemaDifference } from "./drift.ts";
export { migrate } from "./migrate.ts";
export {
  type Connection,
  connectionOf,
  createPool,
  KEY_LOOKUPS_ONLY,
  type Limits,
  type Pool,
  type Session,
  sessionSettings,
  TIGHT,
  type Transaction,
  transaction,
} from "./pool.ts";
export { type ByMode, byMode, createPools, databases, eachMode, type PoolSizes, type Pools } from "./pools.ts";
export { prismaOver, rowOf, rowsOf } from "./prisma.ts";
export {
  addressOf,
  closeLogin,
  databaseOf,
  type Login,
  type LoginName,
  loginOf,
  openLogin,
  openOwner,
  ownerOf,
  provision,
  restrict,
} from "./provision.ts";
export { digestOf, type ReceivedSpan, receivedRows } from "./received-rows.ts";
export { enforceRetention, type Retention } from "./retention.ts";
export { columns, query, statement } from "./statement.ts";
export { moveTestClock, readTestClocks, readTimeOf, readTimes } from "./test-clocks.ts";
export { isForeignKeyViolation, isLocked, isTooSlow, isTransient, isUniqueViolation } from "./transient.ts";
