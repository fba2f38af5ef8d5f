import { describe, expect, test } from "vitest";
import { alerts } from "./alerts.ts";
import { kept, manifests } from "./manifests.ts";
import { mistakes } from "./promql.ts";

const hasSection = (document: string, alert: string) => new RegExp(`^## ${alert}\n\n[^\\s#]`, "m").test(document);

describe.each(alerts)("$alert", ({ alert, expr, annotations }) => {
  test("asks for series and labels that processes show", () => {
    expect(mistakes(expr)).toEqual([]);
  });

  test("has a section in a runbook", () => {
    const [path = "", anchor] = annotations.runbook.split("#");
    expect(anchor).toBe(alert.toLowerCase());
    expect(hasSection(kept(path), alert)).toBe(true);
  });
});

test("no two alerts have one name, and no runbook has a section for none", () => {
  const names = alerts.map(({ alert }) => alert);
  expect(new Set(names).size).toBe(names.length);
  const runbooks = new Set(alerts.map(({ annotations }) => annotations.runbook.split("#")[0] ?? ""));
  const sections = [...runbooks].flatMap((path) => [...kept(path).matchAll(/^## (\w+)$/gm)].map(([, name]) => name));
  expect(sections.toSorted()).toEqual(names.toSorted());
});

test("autoscalers ask for series and labels that processes show", () => {
  const text = JSON.stringify(manifests.filter(({ kind }) => kind === "ScaledObject"));
  const queries = [...text.matchAll(/"query":("(?:[^"\\]|\\.)*")/g)].map(([, query = ""]) => JSON.parse(query));
  expect(queries).toHaveLength(3);
  expect(queries.flatMap(mistakes)).toEqual([]);
});

test.each([
  ["a series that does not exist", "max(collect_dead_letter) > 0"],
  ["a label that the series does not have", 'collect_dead_letters{mode="live"} > 0'],
  ["a label to group by that does not exist", "max by (durables) (collect_dead_letters)"],
  ["an expression that does not parse", "max(collect_dead_letters > 0"],
])("notices %s", (_, expression) => {
  expect(mistakes(expression)).not.toEqual([]);
});

test("notices an alert without a section", () => {
  expect(hasSection("# Runbook\n\n## Other\n\nText.\n", "Missing")).toBe(false);
  expect(hasSection("# Runbook\n\n## Missing\n\n## Other\n", "Missing")).toBe(false);
});
