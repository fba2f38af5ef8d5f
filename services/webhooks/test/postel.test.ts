import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { play, readVector } from "./postel.ts";
import { useWebhooksWorld } from "./service.ts";

const world = await useWebhooksWorld();
const names = readdirSync(new URL("postel", import.meta.url), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".yaml"))
  .map((file) => file.slice(0, -".yaml".length))
  .sort();

describe("sender vectors of postel-sh/postel", () => {
  test.each(names)("%s", async (name) => {
    const { vector, requests, refusals } = await play(await readVector(name), world);
    const { outcome } = vector.expected;
    expect(refusals).toMatchObject(outcome === "reject" ? [{ code: "validation_failed" }] : []);
    expect(requests.map(({ endpoint }) => endpoint).sort()).toEqual(
      (vector.expected_requests ?? []).map(({ endpoint }) => endpoint).sort(),
    );
    for (const [at, expected] of (vector.expected_requests ?? []).entries()) {
      const { delivery, arrivedAt, verified, attemptStatus } = requests[at] ?? {};
      expect(verified).toBe(true);
      expect(attemptStatus).toBe(expected.attempt_status ?? "success");
      expect(delivery?.path).toBe(expected.path ?? delivery?.path);
      expect(delivery?.headers).toMatchObject(expected.headers_match ?? {});
      for (const header of expected.headers_present ?? []) expect(delivery?.headers).toHaveProperty(header);
      const waitedMs = Number(arrivedAt) - Number(requests[at - 1]?.arrivedAt ?? arrivedAt);
      expect(waitedMs).toBeGreaterThanOrEqual(expected.arrived_within_ms?.min_ms ?? 0);
    }
  });

  test("the page names all 29, each as run or with the reason why not", async () => {
    const page = await readFile(new URL("../../../docs/sender-vectors.md", import.meta.url), "utf8");
    const rows = [...page.matchAll(/^\| `([\w/-]+)` \| (.+) \|$/gm)].map(([, name = "", result = ""]) => ({
      name,
      result,
    }));
    expect(rows).toHaveLength(29);
    expect(
      rows
        .filter(({ result }) => result.startsWith("holds"))
        .map(({ name }) => name)
        .sort(),
    ).toEqual(names);
  });
});
