import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { aCollection } from "../../../test/examples.ts";
import { showPage } from "../../../test/page.tsx";
import { MERCHANT, useServer } from "../../../test/server.ts";
import type { RowOf } from "../../api/calls.ts";
import { SettlementLines } from "./settlement-lines.tsx";

const server = useServer();
type Line = RowOf<"settlements/:reference/lines">;
const line = (version: number, amount: number, changed: Partial<Line> = {}): Line => ({
  key: `int_${version}`,
  kind: "collection",
  gross: amount + 0.5,
  fee: 0.5,
  amount,
  version,
  recorded_at: "2026-11-21T10:00:00.000+00:00",
  collection: aCollection({ reference: `col_${version}` }),
  ...changed,
});

test("lines sum exactly in kobo, as decimal naira would not, and show whether the list is complete", async () => {
  server.reads("settlements/:reference/lines", ({ fields: { after } }) =>
    after ? { data: [line(3, 0.7)], next: null } : { data: [line(1, 0.1), line(2, 0.2)], next: "more" },
  );
  const { user } = showPage(<SettlementLines reference="stl_1" total={1} />);
  await screen.findByText(/Total of these 2 lines, out of/);
  const total = screen.getByText(/Total of these 2 lines/).closest("tr");
  expect(total?.textContent).toMatch(/₦0.30₦1.30₦1.00$/);
  await user.click(screen.getByRole("button", { name: "Load more lines" }));
  await screen.findByRole("rowheader", { name: "Total" });
  expect(total?.textContent).toBe("Total₦1.00₦2.50₦1.50");
  expect(server.fieldsOf(`GET m/${MERCHANT}/test/settlements/stl_1/lines`)).toEqual([{}, { after: "more" }]);
});

test("a line whose collection is unavailable is still listed, and another kind of line is labeled with its kind", async () => {
  const lines = [
    line(1, 5, { collection: null, kind: "allocation" }),
    line(2, -5, { collection: null, kind: "correction" }),
  ];
  server.reads("settlements/:reference/lines", { data: lines, next: null });
  showPage(<SettlementLines reference="stl_1" total={0} />);
  await screen.findByText("Collection (temporarily unavailable)");
  await screen.findByText("correction");
});
