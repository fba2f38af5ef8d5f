import type { Component } from "@collect/runtime";
import { NotReady } from "@collect/telemetry";
import { assertWritable, databaseChecks } from "./checks.ts";
import type { Pool } from "./pool.ts";
import { isTransient } from "./transient.ts";

/**
 * The pool as a component of a service: it has started once the database can be written to and, with the folder of the service's
 * migrations, has these. Until then it is waited for. A wrong password or a database that does not exist is an error.
 */
export function database(pool: Pool, migrations?: URL): Component {
  return started([pool], { migrations, stop: () => pool.end() });
}

/** The same for several pools of one database. */
export function started(pools: Pool[], { migrations, stop }: { migrations?: URL | undefined; stop(): Promise<void> }) {
  const checks = migrations && databaseChecks(pools, migrations);
  return {
    name: "database",
    start: async () => {
      await Promise.all(pools.map(assertWritable));
      await checks?.migrations();
    },
    waitsOut: (error: unknown) => error instanceof NotReady || isTransient(error),
    stop,
    ...(checks && { checks }),
  };
}
