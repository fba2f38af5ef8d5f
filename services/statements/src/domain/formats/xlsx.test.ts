import type { Problem } from "@collect/contracts";
import { expect, test } from "vitest";
import { workbookOf, workbookOfSheets } from "../../../test/files.ts";
import { parseStatements } from "../parse.ts";

test("a workbook's numbers are amounts to the kobo, and its serial dates are days", () => {
  const rows = [
    ["Date", "Text", "In", "Out", "Balance"],
    ["46296", "A", "2500.7299999999996", "", "2500.73"],
    ["46297.5", "B", "", "0.3", "2500.43"],
  ];
  const columns = { date: "Date", narration: "Text", credit: "In", debit: "Out", balance: "Balance" };
  const mapping = { headerRow: 1, dateFormat: "serial" as const, isNewestFirst: false, columns };
  const [statement] = parseStatements(workbookOf(rows), mapping);
  expect(statement?.lines.map(({ bookedOn, amount }) => [bookedOn, amount])).toEqual([
    ["2026-10-01", 250_073n],
    ["2026-10-02", -30n],
  ]);
  expect([statement?.opening, statement?.closing]).toEqual([0n, 250_043n]);
});

test("a whole number in a workbook is an id as it stands, and as an amount it has no kobo", () => {
  const rows = [
    ["Date", "Text", "Reference", "In", "Out", "Balance"],
    ["46296", "A", "100234567", "2500", "", "2500"],
  ];
  const columns = { date: "Date", narration: "Text", credit: "In", debit: "Out", balance: "Balance" };
  const mapping = { headerRow: 1, dateFormat: "serial" as const, isNewestFirst: false, columns };
  const bytes = workbookOf(rows, /^\d+$/);
  const [statement] = parseStatements(bytes, { ...mapping, columns: { ...columns, references: ["Reference"] } });
  expect(statement?.lines).toMatchObject([{ references: ["100234567"], amount: 250_000n }]);
});

test("a workbook with lines on another sheet is refused whole, and empty, hidden and other sheets are not read", () => {
  const columns = { date: "Date", narration: "Text", amount: "Amount", balance: "Balance" };
  const mapping = { headerRow: 1, dateFormat: "dd/MM/yyyy" as const, isNewestFirst: false, columns };
  const header = ["Date", "Text", "Amount", "Balance"];
  const rows = [header, ["01/10/2026", "A", "5.00", "5.00"]];
  const next = ["02/10/2026", "B", "2.00", "7.00"];
  const read = (...others: Parameters<typeof workbookOfSheets>[0]) => {
    try {
      return parseStatements(workbookOfSheets([{ rows }, ...others]), mapping).flatMap(({ lines }) => lines.length);
    } catch (error) {
      return (error as Problem).errors?.map(({ code, param }) => `${param}: ${code}`);
    }
  };
  for (const other of [[header, next], [next], [[], ["Page 2"], next.toReversed()]])
    expect(read({ rows: [] }, { rows: other })).toEqual(["file: several_sheets"]);
  expect(read({ rows: [] }, { rows: [header] })).toEqual([1]);
  expect(
    read({
      rows: [
        ["Closing balance", "5.00"],
        ["Printed", "02/10/2026"],
      ],
    }),
  ).toEqual([1]);
  expect(read({ rows: [next], state: "hidden" }, { rows: [next], state: "veryHidden" })).toEqual([1]);
  const hidden = workbookOfSheets([{ rows: [next], state: "hidden" }, { rows }]);
  expect(parseStatements(hidden, mapping)).toMatchObject([{ closing: 500n }]);
});
