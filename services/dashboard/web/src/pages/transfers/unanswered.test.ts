import { expect, test } from "vitest";
import { ApiProblem } from "../../api/problem.ts";
import { isOpenAfter } from "./unanswered.ts";

const refused = (status: number, code: ApiProblem["code"]) => new ApiProblem({ status, code, detail: "No." });

test.each([
  ["the connection broke", refused(0, "unreachable")],
  ["the server failed", refused(503, "service_unavailable")],
  ["something else went wrong", new TypeError("x")],
])("an order stays pending when %s: it may have been sent", (_why, problem) => {
  expect(isOpenAfter(problem, false)).toBe(true);
});

test("an order that was refused on the first attempt was not sent", () => {
  expect(isOpenAfter(refused(422, "validation_failed"), false)).toBe(false);
  expect(isOpenAfter(refused(401, "sign_in_required"), false)).toBe(false);
});

test("a refused second attempt decides the first only if it concerns the order itself", () => {
  expect(isOpenAfter(refused(401, "sign_in_required"), true)).toBe(true);
  expect(isOpenAfter(refused(429, "rate_limited"), true)).toBe(true);
  expect(isOpenAfter(refused(409, "insufficient_balance"), true)).toBe(false);
});
