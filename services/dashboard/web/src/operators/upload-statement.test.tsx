import { createHash, randomBytes } from "node:crypto";
import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { keepInMemory } from "../../test/browser-database.ts";
import { showAt } from "../../test/page.tsx";
import { useServer } from "../../test/server.ts";
import { makeKey } from "./browser-key.ts";
import StatementsPage from "./pages/statements-page.tsx";

const server = useServer();
const IMPORT = "acts/statements.file.import";
const STATEMENT = { account: "1234567890", number: "3", from: "2026-11-01", to: "2026-11-20", lines: 1 };

beforeEach(async () => {
  keepInMemory();
  await makeKey();
  const account = { number: "1234567890", bank: "058", pays_out: true, charge_words: [], mapping: null };
  const unused = { from: null, to: null, closing: null, last_day: null };
  server.answers("GET", "bank-accounts", () => ({ accounts: [{ ...account, ...unused }] }));
  server.answers("GET", "statements", () => ({ data: [], next: null }));
  server.answers("POST", "statements/parts", () => ({}));
});

async function choose(bytes: Buffer) {
  const { user } = showAt("/statements", <StatementsPage />);
  await screen.findByRole("option", { name: "1234567890 at 058" });
  const file = new File([new Uint8Array(bytes)], "harbour.csv");
  return { user, choose: () => user.upload(screen.getByLabelText("Statement file"), file) };
}

test("a file goes ahead in parts, and the act names the hash of the whole, the account and the days", async () => {
  const bytes = randomBytes(2_500_001);
  server.answers("POST", IMPORT, () => ({
    statements: [{ ...STATEMENT, opening: "0", closing: "-550" }],
    is_new: true,
  }));
  const page = await choose(bytes);
  await page.user.selectOptions(screen.getByLabelText("Account"), "1234567890");
  await page.user.type(screen.getByLabelText("First day (optional)"), "2026-11-01");
  await page.user.type(screen.getByLabelText("Last day (optional)"), "2026-11-20");
  await page.user.type(screen.getByLabelText("Closing balance (optional)"), "-5.5");
  await page.choose();
  await screen.findByText(/^1234567890, no\. 3, 1 Nov 2026 to 20 Nov 2026: 1 line,/, {}, { timeout: 5_000 });
  const hash = createHash("sha256").update(bytes).digest("hex");
  const parts = server.fieldsOf("POST statements/parts");
  expect(parts.map((part) => [part.hash, part.part])).toEqual([1, 2, 3].map((part) => [hash, part]));
  expect(Buffer.concat(parts.map(({ data }) => Buffer.from(String(data), "base64"))).equals(bytes)).toBe(true);
  expect(server.fieldsOf(`POST ${IMPORT}`)).toMatchObject([
    {
      input: {
        ...{ hash, parts: 3, name: "harbour.csv", account: "1234567890" },
        period: { from: "2026-11-01", to: "2026-11-20" },
        closing: "-550",
      },
      signature: { signature: expect.any(String) },
    },
  ]);
});

test("a refused file shows the line that is wrong; what may have been imported is not called refused", async () => {
  const errors = [{ param: "line 7", code: "running_balance", message: "The balance is not what its lines lead to." }];
  server.refuses("POST", IMPORT, { status: 400, code: "validation_failed", detail: "It is no statement.", errors });
  const page = await choose(Buffer.from("x"));
  await page.choose();
  const refusal = await screen.findByRole("alert");
  expect(refusal.textContent).toBe(
    "Nothing of this file was importedIt is no statement.Line 7: The balance is not what its lines lead to.",
  );
  expect(server.fieldsOf(`POST ${IMPORT}`)).toMatchObject([{ input: { parts: 1 } }]);
  server.refuses("POST", IMPORT, { status: 503, code: "service_unavailable" });
  await page.choose();
  await screen.findByText("Choose the file again: it is imported once");
});

test("what the bank says about skipped numbers is said of one file: again if that is refused, and not of the next one", async () => {
  const page = await choose(Buffer.from("x"));
  const box = () => screen.getByLabelText<HTMLInputElement>(/^The bank has no statements under the numbers/);
  await page.user.click(box());
  server.refuses("POST", IMPORT, { status: 503, code: "service_unavailable" });
  await page.choose();
  await screen.findByText("Choose the file again: it is imported once");
  expect(box().checked).toBe(true);
  server.answers("POST", IMPORT, () => ({ statements: [{ ...STATEMENT, opening: "0", closing: "5" }], is_new: true }));
  await page.choose();
  await screen.findByText("The file was imported");
  await waitFor(() => expect(box().checked).toBe(false));
  await page.choose();
  await waitFor(() => expect(server.fieldsOf(`POST ${IMPORT}`)).toHaveLength(3));
  const inputs = server.fieldsOf(`POST ${IMPORT}`).map(({ input }) => input);
  expect(inputs).toMatchObject([{ despite_number: true }, { despite_number: true }, {}]);
  expect(inputs[2]).not.toHaveProperty("despite_number");
});

test("of a file that is too large nothing is sent", async () => {
  const page = await choose(Buffer.alloc(16 * 1024 * 1024 + 1));
  await page.choose();
  await screen.findByText("It is larger than 16 MB. Nothing was sent.");
  expect(server.sent.filter(({ method }) => method === "POST")).toEqual([]);
});
