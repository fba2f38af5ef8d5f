import { expect, test } from "vitest";
import { sentAt } from "./session-id.ts";

test("a session id says when a transfer was sent, in Lagos, and is not believed far from its booking", () => {
  expect(sentAt("000014000013261005093000123456", "2026-10-05")).toBe("2026-10-05T08:30:00.000+00:00");
  expect(sentAt("000014000013261005003000123456", "2026-10-05")).toBe("2026-10-04T23:30:00.000+00:00");
  expect(sentAt("000014000013261005093000123456", "2026-10-20")).toBeNull();
  expect(sentAt("000014000013261305093000123456", "2026-10-05")).toBeNull();
  expect(sentAt("000014000013261005096000123456", "2026-10-05")).toBeNull();
  expect(sentAt(null, "2026-10-05")).toBeNull();
});
