import { z } from "zod";
import type { Manifest } from "./manifests.ts";

const Cluster = z.object({
  bootstrap: z.object({
    initdb: z.object({ database: z.string(), owner: z.string(), postInitApplicationSQL: z.array(z.string()) }),
  }),
  managed: z.object({
    roles: z.array(
      z.object({
        name: z.string(),
        login: z.boolean(),
        connectionLimit: z.number().default(-1),
        inRoles: z.array(z.string()),
      }),
    ),
  }),
});

/** What PostgreSQL's operator does for a Cluster, in its order: the database, what that is created with, then the managed roles. */
export function rolesAndDatabase({ spec }: Manifest, password: string): { database: string; statement: string }[] {
  const { bootstrap, managed } = Cluster.parse(spec);
  const { database, owner, postInitApplicationSQL } = bootstrap.initdb;
  const roles = managed.roles.map(({ name, login, connectionLimit, inRoles }) => {
    const can = login ? `login password '${password}' connection limit ${connectionLimit}` : "nologin";
    return `create role ${name} ${can} in role ${inRoles.join()}`;
  });
  const server = [`create role ${owner} login password '${password}'`, `create database ${database} owner ${owner}`];
  const inDatabase = (database: string) => (statement: string) => ({ database, statement });
  return [
    ...server.map(inDatabase("postgres")),
    ...postInitApplicationSQL.map(inDatabase(database)),
    ...roles.map(inDatabase("postgres")),
  ];
}
