import { strFromU8, unzipSync } from "fflate";
import { expect, test } from "vitest";
import type { Cell } from "../src/domain/cells.ts";
import { workbookOf } from "../src/http/xlsx.ts";

const columns = ["name", "amount", "paid_at"].map((name) => ({ name, path: [name] }));

/** The files of a workbook of these rows. */
async function filesOf(rows: Cell[][], sheetRowsMax?: number): Promise<Record<string, string>> {
  const given = (async function* () {
    yield* rows;
  })();
  const chunks: Uint8Array[] = [];
  for await (const chunk of workbookOf({ columns, rows: given, ...(sheetRowsMax && { sheetRowsMax }) }))
    chunks.push(chunk);
  const files = unzipSync(Buffer.concat(chunks));
  return Object.fromEntries(Object.entries(files).map(([name, content]) => [name, strFromU8(content)]));
}
const sheet = (files: Record<string, string>, number = 1) => files[`xl/worksheets/sheet${number}.xml`] ?? "";
const rowsOf = (xml: string) => xml.match(/<row>/g)?.length;

test("amounts are numbers, times are dates in Lagos, and everything else is text, never a formula", async () => {
  const xml = sheet(await filesOf([["=1+1", 2500.73, "2026-11-21T23:30:00.000+00:00"]]));
  expect(xml).toContain('<c t="inlineStr"><is><t xml:space="preserve">=1+1</t></is></c>');
  expect(xml).not.toContain("<f>");
  expect(xml).toContain('<c s="1"><v>2500.73</v></c>');
  // 2026-11-22 00:30 in Lagos.
  expect(xml).toContain('<c s="2"><v>46348.0208');
  expect(xml).toContain("paid_at (Lagos)");
});

test("text of any kind is well-formed XML, and not what spreadsheets read as an escape", async () => {
  const xml = sheet(await filesOf([["<b> & \u0000\u000b\ud800🌸 ]]> _x0041_", 0, ""]]));
  expect(xml).toContain("&lt;b&gt; &amp; \ufffd🌸 ]]&gt; _x005F_x0041_");
});

test("a list that is longer than a sheet goes on in the next one, each with its header", async () => {
  const files = await filesOf([["a"], ["b"], ["c"], ["d"], ["e"]], 2);
  expect([1, 2, 3].map((number) => rowsOf(sheet(files, number)))).toEqual([3, 3, 2]);
  expect(files["xl/workbook.xml"]?.match(/<sheet /g)).toHaveLength(3);
  expect(files["[Content_Types].xml"]).toContain("/xl/worksheets/sheet3.xml");
});

test("an empty list is a workbook with a header", async () => {
  const files = await filesOf([]);
  expect(rowsOf(sheet(files))).toBe(1);
});
