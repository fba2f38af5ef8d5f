import type { Component } from "@collect/runtime";
import { databaseChecks } from "./checks.ts";
import type { Pool } from "./pool.ts";

/**
 * The pool as a component of a service: it has started once the database responds. With the folder of the service's migrations the
 * process is ready only while the database responds and has them.
 */
export function database(pool: Pool, migrations?: URL): Component {
  return {
    name: "database",
    start: async () => void (await pool.query("select 1")),
    stop: () => pool.end(),
    ...(migrations && { checks: databaseChecks([pool], migrations) }),
  };
}
