export { readClock } from "./clock.ts";
export {
  type DeadLetter,
  forgetDeadLetters,
  listDeadLetters,
  storeDeadLetter,
  takeDeadLetters,
} from "./dead-letters.ts";
export { schemaDifference } from "./drift.ts";
export { migrate } from "./migrate.ts";
export {
  BY_KEYS,
  createPool,
  database,
  type Pool,
  type Session,
  type Transaction,
  transaction,
} from "./pool.ts";
export { addressOf, databaseOf, passwordOf, provision, restrict, type ServiceDatabase } from "./provision.ts";
export { columns, statement } from "./statement.ts";
export { isLocked, isTooSlow, isTransient } from "./transient.ts";
