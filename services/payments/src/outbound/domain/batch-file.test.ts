import { nuban, TEST_BANK } from "@collect/bank";
import { Problem } from "@collect/contracts";
import { describe, expect, test } from "vitest";
import { readBatchFile } from "./batch-file.ts";
import { batchReference } from "./reference.ts";

const HEADER = "amount,bank_code,account_number,reference,narration";
const [first, second] = ["000000701", "000000702"].map((serial) => nuban({ bankCode: TEST_BANK.code, serial }));
const read = (...lines: string[]) => readBatchFile([HEADER, ...lines].join("\n"), "test");
const referenceOf = (content: string, merchant = "mer_1", mode: "test" | "live" = "test") =>
  batchReference("key", { id: merchant, mode }, readBatchFile(content, mode));

test("a line is read with its amount in kobo", () => {
  expect(read(`2500.73,${TEST_BANK.code},${first},pay-1,Rent`)).toEqual([
    {
      line: 2,
      amount: 250_073n,
      bankCode: TEST_BANK.code,
      accountNumber: first,
      ownReference: "pay-1",
      narration: "Rent",
      faults: [],
    },
  ]);
});

test("lines are numbered as in the file, whose empty lines are not transfers", () => {
  expect(read(`1,000,${first},,`, "", ",,,,", `2,000,${second},,`).map(({ line }) => line)).toEqual([2, 5]);
});

test.each(["1,000", "-1", "1e3", "1.005", "₦5", "=1+1"])("%s is not an amount", (text) => {
  const [line] = read(`"${text}",${TEST_BANK.code},${first},,`);
  expect(line).toMatchObject({ amount: null, faults: [{ param: "amount", code: "invalid" }] });
});

test("text that no database or bank takes is a fault, and is stored without it", () => {
  const [line] = read(`1,${TEST_BANK.code},${first},${"x".repeat(200)},"a\u0000b"`);
  expect(line?.faults.map(({ param }) => param)).toEqual(["narration", "reference"]);
  expect(line).toMatchObject({ narration: "a b", ownReference: "x".repeat(100) });
});

const codeOf = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    return error instanceof Problem ? error.errors?.[0]?.code : error;
  }
};

test.each(["\n", "\r\n", "\r"])("what has too many lines is refused before it is parsed, broken by %j", (lineBreak) => {
  // Whose quotes are not closed, which parsing would find.
  const file = (lines: number) => `${HEADER}${lineBreak.repeat(lines)}"`;
  expect(codeOf(() => readBatchFile(file(2_001), "test"))).toBe("too_many_lines");
  expect(codeOf(() => readBatchFile(file(2_000), "test"))).toBe("not_csv");
});

test("a file of 1,000 lines is read, and of one more it is not", () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, n) => `1,${TEST_BANK.code},${first},pay-${n},\r\n`);
  expect(read(...lines(1_000))).toHaveLength(1_000);
  expect(codeOf(() => read(...lines(1_001)))).toBe("too_many_lines");
});

test("an error names few of the columns that are not known", () => {
  const header = `${HEADER},${Array.from({ length: 1_000 }, (_, n) => `x${n}`).join()}`;
  expect(() => readBatchFile(`${header}\n1`, "test")).toThrow(/twice: “x0”, “x1”, “x2”, “x3”, “x4”\. Use/);
});

describe("the reference of a file", () => {
  const content = `${HEADER}\n1000,${TEST_BANK.code},${first},,\n2000,${TEST_BANK.code},${second},,`;

  test("is that of the same lines, however they are written", () => {
    const spaced = `narration,reference,account_number,bank_code,amount\r\n,,${first},"${TEST_BANK.code}", 1000.00\r\n,,${second},${TEST_BANK.code},2000.0\r\n`;
    expect(referenceOf(spaced)).toBe(referenceOf(content));
  });

  test("is another for other lines, another merchant and the other mode", () => {
    const references = [
      referenceOf(content),
      referenceOf(content.replace("2000", "2001")),
      referenceOf(`${content}\n5,${TEST_BANK.code},${first},,`),
      referenceOf(content, "mer_2"),
      referenceOf(content, "mer_1", "live"),
    ];
    expect(new Set(references).size).toBe(references.length);
  });
});
