import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { eventsDocument, findingsOfEvents, schemaOf } from "../src/documents.ts";
import { EVENTS, transferReceived } from "../src/index.ts";
import { SERVICES } from "../src/message.ts";

const read = (path: string) => readFile(new URL(path, import.meta.url), "utf8");

test("docs/events.md is generated from the current contracts", async () => {
  expect(await read("../../../docs/events.md")).toBe(eventsDocument());
});

describe.each(EVENTS.map((event) => [event.subject, event] as const))("%s", (subject, event) => {
  test("has its publisher's subject, a natural key among its fields, and existing consumers", () => {
    expect(subject).toMatch(new RegExp(`^${event.from}\\.[a-z_]+\\.[a-z_]+\\.v\\d+$`));
    expect(Object.keys(schemaOf(event).properties ?? {})).toContain(event.naturalKey);
    expect(event.to.every((service) => SERVICES.includes(service))).toBe(true);
  });

  test("is recorded in its current form, without breaking changes", async () => {
    const recorded = JSON.parse(await read(`../schemas/${subject}.json`));
    expect(findingsOfEvents({ [subject]: recorded }).refused).toEqual([]);
    expect(recorded, "npm run document writes it").toEqual(schemaOf(event));
  });
});

const NOTHING = { refused: [], reported: [] };

describe("a recorded schema", () => {
  const event = transferReceived;
  const recorded = () => structuredClone(schemaOf(event));

  test("may be extended by optional fields, nested ones included", () => {
    const last = recorded();
    delete last.properties?.[optionalOf(last)];
    expect(findingsOfEvents({ [event.subject]: last })).toEqual(NOTHING);
  });

  test.each<[string, (last: ReturnType<typeof recorded>) => void, RegExp]>([
    [
      "renamed or removed",
      (last) => Object.assign(last.properties ?? {}, { gone: { type: "string" } }),
      /\.gone is gone\. A \.v1 changes by addition only/,
    ],
    [
      "held to a new constraint",
      (last) => Object.assign(last.properties ?? {}, { accountNumber: { type: "string" } }),
      /accountNumber: pattern was absent/,
    ],
    [
      "changed to another type",
      (last) => Object.assign(last.properties ?? {}, { intakeId: { type: "integer" } }),
      /intakeId/,
    ],
    ["made required", (last) => void last.required?.pop(), /has become required\. .* leave it \.optional\(\)/],
    [
      "stripped of an enum value",
      (last) =>
        Object.assign(last.properties ?? {}, { fundedBy: { type: "string", enum: ["bank", "suspense", "card"] } }),
      /fundedBy cannot be card any more/,
    ],
  ])("is broken by a field that is %s", (_what, change, named) => {
    const last = recorded();
    change(last);
    expect(findingsOfEvents({ [event.subject]: last }).refused.join()).toMatch(named);
  });

  test("may describe a field in other words", () => {
    const last = recorded();
    Object.assign(last.properties?.intakeId ?? {}, { description: "Said otherwise." });
    expect(findingsOfEvents({ [event.subject]: last })).toEqual(NOTHING);
  });

  test("may be extended by an enum value, which is reported: consumers must be released first", () => {
    const last = recorded();
    Object.assign(last.properties ?? {}, { fundedBy: { type: "string", enum: ["bank"] } });
    expect(findingsOfEvents({ [event.subject]: last })).toEqual({
      refused: [],
      reported: [
        expect.stringContaining(`${event.subject}.fundedBy can be suspense. The last release does not know it`),
      ],
    });
  });

  test("is broken by a removed event", () => {
    expect(findingsOfEvents({ "ledger.gone.posted.v1": recorded() }).refused).toEqual([
      "ledger.gone.posted.v1 is not declared any more.",
    ]);
  });
});

function optionalOf({ properties = {}, required = [] }: ReturnType<typeof schemaOf>): string {
  const optional = Object.keys(properties).find((name) => !required.includes(name));
  if (!optional) throw new Error("this test needs an event with an optional field");
  return optional;
}
