import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { eventsDocument, schemaOf } from "../src/documents.ts";
import { EVENTS } from "../src/events.ts";
import { SERVICES } from "../src/message.ts";

const read = (path: string) => readFile(new URL(path, import.meta.url), "utf8");

test("docs/events.md says what the contracts say", async () => {
  expect(await read("../../../docs/events.md")).toBe(eventsDocument());
});

describe.each(EVENTS.map((event) => [event.subject, event] as const))("%s", (subject, event) => {
  test("has a subject of its publisher, a known natural key, and consumers that exist", () => {
    expect(subject).toMatch(new RegExp(`^${event.from}\\.[a-z_]+\\.[a-z_]+\\.v\\d+$`));
    expect(Object.keys(schemaOf(event).properties ?? {})).toContain(event.naturalKey);
    expect(event.to.every((service) => SERVICES.includes(service))).toBe(true);
  });

  test("changes by addition only, and what is added is optional", async () => {
    const last = JSON.parse(await read(`../schemas/${subject}.json`));
    const current = schemaOf(event);
    expect(current.properties).toMatchObject(last.properties);
    expect(current.required).toEqual(last.required);
  });
});
