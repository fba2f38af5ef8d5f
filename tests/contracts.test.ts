import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as contracts from "@collect/contracts";
import {
  type Caller,
  EVENTS,
  type FactEvent,
  REQUESTS,
  type RequestContract,
  SERVICES,
  type ServiceName,
} from "@collect/contracts";
import { expect, test } from "vitest";
import { importsOf } from "./tidy/imports.ts";

/** Checks the consumers and callers declared by the contracts against the code, without starting it. */

const root = fileURLToPath(new URL("..", import.meta.url));
const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.ts$|\/(test|generated|web)\//.test(file));
/** A process of its own in the dashboard's folder, and a caller as the command line is. */
const OPERATORS_PAGES = "services/dashboard/src/(operators\\.ts|calls/operators\\.ts|http/operators/)";
const CODE_OF: Record<Caller, RegExp> = {
  ...(Object.fromEntries(
    SERVICES.map((service) => [service, new RegExp(`^(?!${OPERATORS_PAGES})services/${service}/src/`)]),
  ) as Record<(typeof SERVICES)[number], RegExp>),
  operator: new RegExp(`^infra/|^${OPERATORS_PAGES}`),
};
const BUS = "packages/bus/src/";

type Code = { imported: string[]; fromTheBus: string[]; code: string };

/** The code below a folder: each file without its imports and comments, and the names it imports. */
function codeIn(folder: RegExp): Code[] {
  return files.filter((file) => folder.test(file)).map(codeOf);
}

function codeOf(file: string): Code {
  const source = readFileSync(join(root, file), "utf8");
  const importedFrom = (module: string) =>
    [...source.matchAll(new RegExp(`import \\{([^}]*)\\} from "@collect/${module}";`, "g"))].flatMap(([, names = ""]) =>
      names.split(",").map((name) => name.trim().split(" ")[0] ?? ""),
    );
  const code = source.replace(/^import [\s\S]*?;$/gm, "").replace(/^\s*(\*|\/\*|\/\/).*$/gm, "");
  return { imported: importedFrom("contracts"), fromTheBus: importedFrom("bus"), code };
}

/** The requests behind an exported name: one, or several, one per service. */
const EXPORTED = new Map(Object.entries(contracts).map(([name, value]) => [name, requestsIn(value)]));

function requestsIn(value: unknown): RequestContract[] {
  const request = REQUESTS.find((one) => one === value);
  if (request) return [request];
  const isRecord = Object.getPrototypeOf(Object(value)) === Object.prototype;
  return isRecord ? Object.values(Object(value)).flatMap(requestsIn) : [];
}

/** The requests that each exported function of the bus sends on behalf of services, in its own file or in those it imports. */
const SENT_BY_THE_BUS = new Map(
  files
    .filter((file) => file.startsWith(BUS))
    .flatMap((file) => {
      const sent = sentIn([...withImported(file)].map(codeOf), "()request\\(");
      const given = [...codeOf(file).code.matchAll(/^export (?:async )?(?:function|const) (\w+)/gm)];
      return given.map(([, name = ""]) => [name, sent] as const);
    }),
);

function withImported(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const { files: imported } = importsOf({ path: file, text: readFileSync(join(root, file), "utf8") });
  for (const next of imported) withImported(next, found);
  return found;
}

/** The requests sent below a folder, by its own code and by the bus functions it uses. */
function sentBy(folder: RegExp): Set<RequestContract> {
  const code = codeIn(folder);
  const throughTheBus = code
    .flatMap(({ fromTheBus }) => fromTheBus)
    .flatMap((name) => [...(SENT_BY_THE_BUS.get(name) ?? [])]);
  return new Set([...sentIn(code), ...throughTheBus]);
}

/** Every use of a request except in `answer(…)` and in types; in the bus only where it is sent. */
function sentIn(files: Code[], before = "(answer\\(|typeof )?\\b"): Set<RequestContract> {
  const sent = new Set<RequestContract>();
  for (const { imported, code } of files) {
    for (const name of imported) {
      const requests = EXPORTED.get(name) ?? [];
      for (const [, not = "", member] of code.matchAll(new RegExp(`${before}${name}\\b(?:\\.(\\w+))?`, "g"))) {
        if (not) continue;
        for (const request of requests)
          if (requests.length === 1 || !member || request.to === member) sent.add(request);
      }
    }
  }
  return sent;
}

test.each(SERVICES)("%s consumes exactly the events that name it", (service) => {
  const named = EVENTS.filter(({ to }) => to.includes(service));
  const how = `${service} has a consume(event, …) for each event that names it in \`to\`, and for no other`;
  expect(eventsIn(service, /\bconsume(?:ByStatement)?\(\s*(\w+)/g).toSorted(), how).toEqual(subjectsOf(named));
});

test.each(SERVICES)("%s publishes exactly the events that are from it", (service) => {
  const published = new Set(eventsIn(service, /\bpublish\(\s*(\w+)/g));
  const named = EVENTS.filter(({ from }) => from === service);
  const how = `${service} has a publish(event, …) for each event that is \`from\` it, and for no other`;
  expect([...published].toSorted(), how).toEqual(subjectsOf(named));
});

/** The subjects of the events that a pattern finds in the code of a service. */
function eventsIn(service: ServiceName, pattern: RegExp): string[] {
  const exported = new Map<string, unknown>(Object.entries(contracts));
  const found = codeIn(CODE_OF[service]).flatMap(({ code }) =>
    [...code.matchAll(pattern)].map(([, name = ""]) => name),
  );
  return found.map((name) => Object(exported.get(name)).subject);
}

function subjectsOf(events: readonly FactEvent[]): string[] {
  return events.map(({ subject }) => subject).toSorted();
}

const callers = Object.keys(CODE_OF) as Caller[];
const sent = new Map(callers.map((caller) => [caller, sentBy(CODE_OF[caller])]));

test("each request names every service that sends it, and no other", () => {
  expect(REQUESTS.length).toBeGreaterThan(100);
  for (const request of REQUESTS) {
    const { subject, to } = request;
    const senders = callers.filter((caller) => caller !== to && sent.get(caller)?.has(request));
    const unnamed = senders.filter((caller) => !request.callers.includes(caller));
    const idle = request.callers.filter((caller) => !senders.includes(caller));
    expect({ subject, unnamed, idle }).toEqual({ subject, unnamed: [], idle: [] });
  }
});
