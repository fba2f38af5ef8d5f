import { expect, test } from "vitest";
import type { Figures } from "./report.ts";
import { measureSections } from "./sections.ts";

const page = { weightBytes: 9_000, requests: 5, firstPaintMs: { here: 40, slowPhone: 600 } };

const noFigures = (): Figures => ({ at: "2026-11-21T09:30:00.000Z", machine: {}, leftOut: [] });

test("a failed section is skipped with its reason, and the others are measured", async () => {
  const figures = noFigures();
  const announced: string[] = [];
  const failing = async () => {
    throw new Error("fetch failed", { cause: new Error("connect ECONNREFUSED") });
  };
  await measureSections(
    [
      { name: "page", measure: async () => ({ checkoutPage: page }) },
      { name: "gateway", measure: failing },
      { name: "memory", measure: async () => ({ memoryMb: { ledger: 70 } }) },
    ],
    { figures, announce: (section) => announced.push(section) },
  );
  expect(announced).toEqual(["page", "gateway", "memory"]);
  expect(figures.leftOut).toEqual([{ section: "gateway", reason: "fetch failed: connect ECONNREFUSED" }]);
  expect(figures).toMatchObject({ checkoutPage: page, memoryMb: { ledger: 70 } });
});

test("no section is skipped if none fails", async () => {
  const figures = noFigures();
  const sections = [{ name: "page", measure: async () => ({ checkoutPage: page }) }];
  await measureSections(sections, { figures, announce: () => {} });
  expect(figures.leftOut).toEqual([]);
});
