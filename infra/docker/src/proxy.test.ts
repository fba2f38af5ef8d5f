import { readFileSync } from "node:fs";
import { Problem, problemDocument } from "@collect/contracts";
import { expect, test } from "vitest";

test("while no replica is ready the proxy answers as a service would", () => {
  const proxy = readFileSync(new URL("../haproxy.cfg", import.meta.url), "utf8");
  const [, type, text = ""] =
    /^ {2}http-error status 503 content-type "([^"]+)" lf-string '(.+)' hdr/m.exec(proxy) ?? [];
  expect(type).toContain("application/problem+json");
  const problem = new Problem("service_unavailable", "Temporarily unavailable. Try again shortly.");
  expect(JSON.parse(text)).toEqual(problemDocument(problem, { requestId: "%ID" }));
});
