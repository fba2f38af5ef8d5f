import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SERVICES } from "@collect/contracts";
import { expect, test } from "vitest";
import { RolesConfig } from "./config.ts";

const compose = readFileSync(join(import.meta.dirname, "../../../docker-compose.yml"), "utf8");
const figure = (pattern: RegExp) => Number(pattern.exec(compose)?.[1]);

test("PostgreSQL has the connections of every login, and 30 for jobs and people", () => {
  const limit = RolesConfig.shape.CONNECTION_LIMIT.parse(undefined);
  expect(figure(/\{CONNECTION_LIMIT:-(\d+)\}/)).toBe(limit);
  expect(figure(/max_connections=(\d+)/)).toBeGreaterThanOrEqual(SERVICES.length * limit + 30);
});
