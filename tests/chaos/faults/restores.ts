import { databaseOf } from "@collect/database";
import { until } from "@collect/testing";
import { untilCurrent } from "../../stack/current.ts";
import type { Injection } from "../world.ts";

const CAUGHT_UP_WITHIN_MS = 60_000;

/**
 * Copies the database while the service is down; at the end of the fault the copy replaces the database. Two services
 * restored to different times wait for an operator (docs/operations.md), so the next restore waits until the last has
 * caught up.
 */
export const restore: Injection = async (world, { target }) => {
  await untilCurrent(world.stack.bus, CAUGHT_UP_WITHIN_MS);
  const members = world.members.all.filter(({ name }) => name.startsWith(`${target}.`));
  const database = databaseOf(target);
  const copy = `${database}_copy`;
  const admin = world.stack.database("gateway");
  const whileStopped = async (work: () => Promise<unknown>) => {
    await Promise.all(members.map((member) => member.kill()));
    await until("the database has no sessions", async () => {
      await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [database]);
      return work().then(
        () => true,
        () => false,
      );
    });
    await Promise.all(members.map((member) => member.start()));
  };
  await whileStopped(() => admin.query(`create database ${copy} template ${database}`));
  return async () => {
    await whileStopped(async () => {
      await admin.query(`drop database if exists ${database} with (force)`);
      await admin.query(`alter database ${copy} rename to ${database}`);
      await admin.query(`revoke connect, temporary on database ${database} from public`);
      await admin.query(`grant connect on database ${database} to ${database}`);
    });
  };
};
