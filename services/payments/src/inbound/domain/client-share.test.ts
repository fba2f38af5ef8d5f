import { expect, test } from "vitest";
import { clientShare } from "./client-share.ts";

test("a client's share is a tenth of the slots that public callers can have, and at least three", () => {
  expect([1, 2, 10, 100].map(clientShare)).toEqual([9, 19, 99, 990]);
  expect(clientShare(0)).toBe(3);
});
