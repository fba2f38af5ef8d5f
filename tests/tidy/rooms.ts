import { importsOf } from "./imports.ts";
import { file, isGenerated, isProduct, named, type Rule } from "./source.ts";

/**
 * The rooms of a service, floor by floor from the ground up. A file imports from its own room and from lower floors, never from
 * a higher one.
 */
const FLOORS: string[][] = [
  ["domain", "generated"],
  // The dashboard's calls, as types that its pages share.
  ["calls"],
  ["config.ts"],
  ["store", "adapters"],
  ["use-cases", "openapi"],
  ["handlers", "workers", "http"],
  ["page"],
  ["endpoints.ts"],
  ["app.ts"],
  ["main.ts"],
];
/** Rooms that may import from one another all the same. Whatever they do, no file may come back to itself. */
const DOORS = ["store → adapters", "adapters → store", "handlers → http", "http → handlers", "http → endpoints.ts"];
/** What payments is parted into: each half has rooms of its own, and stands on those that both need. */
const HALVES = ["inbound", "outbound"];
const FOR_BOTH = ["domain", "store", "adapters", "config.ts", "generated"];

type Place = { service: string; half: string | undefined; room: string };

function placeOf(path: string): Place | undefined {
  const [, service, rest] = path.match(/^services\/([^/]+)\/src\/(.+)$/) ?? [];
  if (!service || !rest) return undefined;
  const parts = rest.split("/");
  const half = parts.length > 1 && HALVES.includes(parts[0] ?? "") ? parts.shift() : undefined;
  return { service, half, room: parts[0] ?? "" };
}

function floorOf(room: string): number | undefined {
  const floor = FLOORS.findIndex((names) => names.includes(room));
  return floor < 0 ? undefined : floor;
}

export const rooms: Rule = {
  name: "every file of a service stands in a room that is known",
  faults: (sources) =>
    sources.flatMap(({ path }) => {
      const place = placeOf(path);
      if (!place || isGenerated(path)) return [];
      const isFileOfHalf = place.half !== undefined && place.room.endsWith(".ts");
      return floorOf(place.room) === undefined || isFileOfHalf ? [`${path} stands in no known room`] : [];
    }),
  broken: {
    "a room of its own making": [file("services/a/src/helpers/text.ts")],
    "a file at the door": [file("services/a/src/constants.ts")],
    "a half without rooms": [file("services/a/src/inbound/collections.ts")],
  },
};

export const arrows: Rule = {
  name: "no import of a service leads upwards, or into another half",
  faults: (sources) =>
    sources.filter(isProduct).flatMap((source) => {
      const from = placeOf(source.path);
      if (!from) return [];
      return importsOf(source).files.flatMap((target) => {
        const to = placeOf(target);
        const why = to ? whyNot(from, to) : `it lies outside of services/${from.service}/src`;
        return why ? [`${source.path} imports ${target}: ${why}`] : [];
      });
    }),
  broken: {
    "the domain imports a worker": [
      file("services/a/src/domain/fee.ts", 'import { sweep } from "../workers/sweep.ts";'),
    ],
    "the domain imports the table, from a folder in it": [
      file("services/a/src/domain/openapi/document.ts", 'import { ENDPOINTS } from "../../endpoints.ts";'),
    ],
    "a store imports a handler's type": [
      file("services/a/src/store/rows.ts", 'import type { Shown } from "../handlers/rows.ts";'),
    ],
    "a handler imports a worker": [file("services/a/src/handlers/b.ts", 'import { wake } from "../workers/b.ts";')],
    "a worker imports a handler": [file("services/a/src/workers/b.ts", 'import { publish } from "../handlers/b.ts";')],
    "a handler imports the table of endpoints": [
      file("services/a/src/handlers/b.ts", 'import { ENDPOINTS } from "../endpoints.ts";'),
    ],
    "a handler imports the app": [file("services/a/src/handlers/b.ts", 'export type { Deps } from "../app.ts";')],
    "a use case imports a handler": [file("services/a/src/use-cases/b.ts", 'const b = import("../handlers/b.ts");')],
    "one half imports the other": [
      file("services/a/src/inbound/domain/b.ts", 'import { c } from "../../outbound/domain/c.ts";'),
    ],
    "a half imports a worker of both": [
      file("services/a/src/outbound/workers/b.ts", 'import { audit } from "../../workers/audit.ts";'),
    ],
    "another service": [file("services/a/src/domain/b.ts", 'import { c } from "../../../b/src/domain/c.ts";')],
    "what lies outside of src": [file("services/a/src/store/b.ts", 'import { c } from "../../test/c.ts";')],
  },
};

function whyNot(from: Place, to: Place): string | undefined {
  if (from.service !== to.service) return "it is another service's";
  if (to.half && from.half && to.half !== from.half) return "it is the other half's";
  if (from.half && !to.half && !FOR_BOTH.includes(to.room)) return "it is above both halves";
  const [own, other] = [floorOf(from.room), floorOf(to.room)];
  if (own === undefined || other === undefined || from.room === to.room) return undefined;
  if (other < own || DOORS.includes(`${from.room} → ${to.room}`)) return undefined;
  return `${to.room} is ${other > own ? "above" : "beside"} ${from.room}`;
}

/** What the domain may import beside its own: types and rules, and nothing that reaches anything. */
const PURE = ["@collect/money", "@collect/contracts", "@collect/bank", "zod", "node:crypto", "node:util", "node:zlib"];

export const pureDomain: Rule = {
  name: "the domain imports only money, contracts and bank",
  faults: (sources) =>
    sources
      .filter((source) => isProduct(source) && placeOf(source.path)?.room === "domain")
      .flatMap((source) =>
        importsOf(source)
          .packages.filter((name) => !PURE.includes(name))
          .map((name) => `${source.path} imports ${name}`),
      ),
  broken: {
    "the database": [file("services/a/src/domain/fee.ts", 'import type { Pool } from "@collect/database";')],
    "a file system": [file("services/a/src/inbound/domain/fee.ts", 'import { readFile } from "node:fs/promises";')],
    express: [file("services/a/src/domain/fee.ts", 'import express from "express";')],
  },
};

export const ownCode: Rule = {
  name: "no service imports another's code, and no package a service's",
  faults: (sources) => {
    const services = named(sources, "services");
    const isService = (name: string) =>
      services.some((service) => name.split("/", 2).join("/") === `@collect/${service}`);
    return sources.filter(isProduct).flatMap((source) => {
      const { files, packages } = importsOf(source);
      const strays = files.filter((target) => home(target) !== home(source.path));
      return [...packages.filter(isService), ...strays].map((target) => `${source.path} imports ${target}`);
    });
  },
  broken: {
    "by its name": [file("services/b/x"), file("services/a/src/app.ts", 'import { x } from "@collect/b/src/x.ts";')],
    "a package, by its path": [file("packages/p/src/x.ts", 'import { x } from "../../../services/a/src/x.ts";')],
    "a package from a package, by its path": [file("packages/p/src/x.ts", 'import { x } from "../../q/src/x.ts";')],
  },
};

const home = (path: string) => path.split("/", 2).join("/");

export const shape: Rule = {
  name: "every service has the shape of a service",
  faults: (sources) =>
    named(sources, "services").flatMap((service) => {
      const own = sources.filter(({ path }) => path.startsWith(`services/${service}/`));
      const has = (part: string) => own.some(({ path }) => path.startsWith(`services/${service}/${part}`));
      const missing = PARTS.filter((part) => !has(part)).map((part) => `services/${service} has no ${part}`);
      const main = own.find(({ path }) => path.endsWith("/src/main.ts"));
      const isLong = main && main.text.split("\n").length > 41;
      return isLong ? [...missing, `${main.path} is longer than 40 lines`] : missing;
    }),
  broken: {
    "nothing but a readme": [file("services/a/README.md")],
    "a long main": [
      ...["package.json", "README.md", "prisma.config.ts", "prisma/schema.prisma", "prisma/migrations/1/migration.sql"]
        .concat(["src/app.ts", "src/config.ts", "test/a.test.ts"])
        .map((path) => file(`services/a/${path}`)),
      file("services/a/src/main.ts", "\n".repeat(50)),
    ],
  },
};

const PARTS = [
  "package.json",
  "README.md",
  "prisma.config.ts",
  "prisma/schema.prisma",
  "prisma/migrations/",
  "src/app.ts",
  "src/config.ts",
  "src/main.ts",
  "test/",
];

export const packageShape: Rule = {
  name: "every package has a nameable noun, and says what it is",
  faults: (sources) =>
    named(sources, "packages").flatMap((name) => [
      ...(["utils", "common", "shared", "helpers"].includes(name) ? [`packages/${name} is no noun`] : []),
      ...(sources.some(({ path }) => path === `packages/${name}/README.md`)
        ? []
        : [`packages/${name} has no README.md`]),
    ]),
  broken: { "a drawer": [file("packages/utils/README.md")], "one that says nothing": [file("packages/money/x.ts")] },
};

export const packageDoor: Rule = {
  name: "a package is entered by its index alone",
  faults: (sources) =>
    sources
      .filter(({ path }) => /\.(ts|tsx|mjs)$/.test(path) && !path.startsWith("tests/load/") && !isGenerated(path))
      .flatMap((source) =>
        importsOf(source)
          .packages.filter((name) => /^@collect\/[a-z-]+\/(?!vitest$|stack$)./.test(name))
          .map((name) => `${source.path} imports ${name}`),
      ),
  broken: { "its inside": [file("services/a/src/app.ts", 'import { x } from "@collect/bus/src/loop.ts";')] },
};
