import { importsOf } from "./imports.ts";
import { file, isGenerated, isProduct, named, type Rule } from "./source.ts";

/** The folders of a service by layer, lowest first. A file imports from its own folder and from lower layers, never from a higher one. */
const LAYERS: string[][] = [
  ["domain", "generated"],
  // The dashboard's calls, as types that its pages share; the rows of the merchant API.
  ["calls", "endpoints"],
  ["config.ts"],
  ["store", "adapters"],
  ["use-cases", "openapi"],
  ["handlers", "workers", "http"],
  ["page"],
  ["endpoints.ts"],
  ["app.ts"],
  // The second is the dashboard's other process, which serves the operators' pages.
  ["main.ts", "operators.ts"],
];
/** Imports allowed in spite of the layers. Cycles between files are still refused. */
const ALLOWED = ["store → adapters", "adapters → store", "handlers → http", "http → handlers", "http → endpoints.ts"];
/** The two parts of payments: each has its own layers, and imports from the folders below both. */
const PARTS = ["inbound", "outbound"];
const BELOW_BOTH = ["domain", "store", "adapters", "config.ts", "generated"];

type Location = { service: string; part: string | undefined; folder: string };

function locationOf(path: string): Location | undefined {
  const [, service, rest] = path.match(/^services\/([^/]+)\/src\/(.+)$/) ?? [];
  if (!service || !rest) return undefined;
  const segments = rest.split("/");
  const part = segments.length > 1 && PARTS.includes(segments[0] ?? "") ? segments.shift() : undefined;
  return { service, part, folder: segments[0] ?? "" };
}

function layerOf(folder: string): number | undefined {
  const layer = LAYERS.findIndex((names) => names.includes(folder));
  return layer < 0 ? undefined : layer;
}

export const folders: Rule = {
  name: "every source file of a service is in a known folder",
  violations: (sources) =>
    sources.flatMap(({ path }) => {
      const location = locationOf(path);
      if (!location || isGenerated(path)) return [];
      const isFileOfPart = location.part !== undefined && location.folder.endsWith(".ts");
      return layerOf(location.folder) === undefined || isFileOfPart ? [`${path} is in no known folder`] : [];
    }),
  counterexamples: {
    "an unknown folder": [file("services/a/src/helpers/text.ts")],
    "an unknown file in src": [file("services/a/src/constants.ts")],
    "a file directly in a part": [file("services/a/src/inbound/collections.ts")],
  },
};

export const imports: Rule = {
  name: "a service imports only from its own layer and lower ones, and not from the other part",
  violations: (sources) =>
    sources.filter(isProduct).flatMap((source) => {
      const from = locationOf(source.path);
      if (!from) return [];
      return importsOf(source).files.flatMap((target) => {
        const to = locationOf(target);
        const why = to ? violationOf(from, to) : `it is outside services/${from.service}/src`;
        return why ? [`${source.path} imports ${target}: ${why}`] : [];
      });
    }),
  counterexamples: {
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
    "one part imports the other": [
      file("services/a/src/inbound/domain/b.ts", 'import { c } from "../../outbound/domain/c.ts";'),
    ],
    "a part imports a worker above both": [
      file("services/a/src/outbound/workers/b.ts", 'import { audit } from "../../workers/audit.ts";'),
    ],
    "another service": [file("services/a/src/domain/b.ts", 'import { c } from "../../../b/src/domain/c.ts";')],
    "a file outside src": [file("services/a/src/store/b.ts", 'import { c } from "../../test/c.ts";')],
  },
};

function violationOf(from: Location, to: Location): string | undefined {
  if (from.service !== to.service) return "it belongs to another service";
  if (to.part && from.part && to.part !== from.part) return "it belongs to the other part";
  if (from.part && !to.part && !BELOW_BOTH.includes(to.folder)) return "it is above both parts";
  const [own, other] = [layerOf(from.folder), layerOf(to.folder)];
  if (own === undefined || other === undefined || from.folder === to.folder) return undefined;
  if (other < own || ALLOWED.includes(`${from.folder} → ${to.folder}`)) return undefined;
  return `${to.folder} is ${other > own ? "above" : "on the same layer as"} ${from.folder}`;
}

/** The packages that the domain may import: types and rules, and nothing with I/O. */
const PURE = [
  ...["@collect/money", "@collect/contracts", "@collect/bank", "zod", "node:crypto", "node:util", "node:zlib"],
  ...["csv-parse/sync", "fflate", "sax"],
  ...["@zxcvbn-ts/core", "@zxcvbn-ts/language-common", "@zxcvbn-ts/language-en"],
];

export const pureDomain: Rule = {
  name: "the domain imports only money, contracts, bank and pure libraries",
  violations: (sources) =>
    sources
      .filter((source) => isProduct(source) && locationOf(source.path)?.folder === "domain")
      .flatMap((source) =>
        importsOf(source)
          .packages.filter((name) => !PURE.includes(name))
          .map((name) => `${source.path} imports ${name}`),
      ),
  counterexamples: {
    "the database": [file("services/a/src/domain/fee.ts", 'import type { Pool } from "@collect/database";')],
    "a file system": [file("services/a/src/inbound/domain/fee.ts", 'import { readFile } from "node:fs/promises";')],
    express: [file("services/a/src/domain/fee.ts", 'import express from "express";')],
  },
};

export const ownCode: Rule = {
  name: "no service imports another service's code, and no package imports a service's",
  violations: (sources) => {
    const services = named(sources, "services");
    const isService = (name: string) =>
      services.some((service) => name.split("/", 2).join("/") === `@collect/${service}`);
    return sources.filter(isProduct).flatMap((source) => {
      const { files, packages } = importsOf(source);
      const foreign = files.filter((target) => workspaceOf(target) !== workspaceOf(source.path));
      return [...packages.filter(isService), ...foreign].map((target) => `${source.path} imports ${target}`);
    });
  },
  counterexamples: {
    "by its name": [file("services/b/x"), file("services/a/src/app.ts", 'import { x } from "@collect/b/src/x.ts";')],
    "a package, by its path": [file("packages/p/src/x.ts", 'import { x } from "../../../services/a/src/x.ts";')],
    "a package from a package, by its path": [file("packages/p/src/x.ts", 'import { x } from "../../q/src/x.ts";')],
  },
};

const workspaceOf = (path: string) => path.split("/", 2).join("/");

export const shape: Rule = {
  name: "every service has the required files",
  violations: (sources) =>
    named(sources, "services").flatMap((service) => {
      const own = sources.filter(({ path }) => path.startsWith(`services/${service}/`));
      const has = (file: string) => own.some(({ path }) => path.startsWith(`services/${service}/${file}`));
      const missing = REQUIRED.filter((file) => !has(file)).map((file) => `services/${service} has no ${file}`);
      const main = own.find(({ path }) => path.endsWith("/src/main.ts"));
      const isLong = main && main.text.split("\n").length > 41;
      return isLong ? [...missing, `${main.path} is longer than 40 lines`] : missing;
    }),
  counterexamples: {
    "only a README": [file("services/a/README.md")],
    "a long main": [
      ...["package.json", "README.md", "prisma.config.ts", "prisma/schema.prisma", "prisma/migrations/1/migration.sql"]
        .concat(["src/app.ts", "src/config.ts", "test/a.test.ts"])
        .map((path) => file(`services/a/${path}`)),
      file("services/a/src/main.ts", "\n".repeat(50)),
    ],
  },
};

const REQUIRED = [
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
  name: "every package is named for a noun and has a README",
  violations: (sources) =>
    named(sources, "packages").flatMap((name) => [
      ...(["utils", "common", "shared", "helpers"].includes(name) ? [`packages/${name} is not named for a noun`] : []),
      ...(sources.some(({ path }) => path === `packages/${name}/README.md`)
        ? []
        : [`packages/${name} has no README.md`]),
    ]),
  counterexamples: {
    "a catch-all": [file("packages/utils/README.md")],
    "one without a README": [file("packages/money/x.ts")],
  },
};

/** Apart from entries for test runs, and the pure code that the dashboard's pages share with its server. */
export const packageEntry: Rule = {
  name: "a package is imported only by its index",
  violations: (sources) =>
    sources
      .filter(({ path }) => /\.(ts|tsx|mjs)$/.test(path) && !path.startsWith("tests/load/") && !isGenerated(path))
      .flatMap((source) =>
        importsOf(source)
          .packages.filter((name) =>
            /^@collect\/[a-z-]+\/(?!vitest$|postgres$|hooks$|password-strength$|device-name$|differences$)./.test(name),
          )
          .map((name) => `${source.path} imports ${name}`),
      ),
  counterexamples: {
    "an internal file": [file("services/a/src/app.ts", 'import { x } from "@collect/bus/src/loop.ts";')],
  },
};
