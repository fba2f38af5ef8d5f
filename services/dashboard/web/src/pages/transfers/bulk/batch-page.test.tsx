import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { showPage } from "../../../../test/page.tsx";
import { MERCHANT, useServer } from "../../../../test/server.ts";
import type { RowOf } from "../../../api/calls.ts";
import { BatchPage } from "./batch-page.tsx";
import { type Batch, progressWords } from "./batch-words.ts";
import { BulkPage } from "./bulk-page.tsx";

const server = useServer();
const REFERENCE = "bat_1";
const BATCH = "transfer-batches/bat_1";

const aBatch = (changed: Partial<Batch> = {}): Batch => ({
  ...{ reference: REFERENCE, name: "salaries.csv", state: "checked", lines: 2, total: 3_000 },
  ...{ checked: 2, faulty: 0, ordered: 0, ordered_total: 0, refused: 0, refused_total: 0 },
  created_at: "2026-11-21T09:30:00.000+00:00",
  created_by: { kind: "member", user_id: "usr_1", email: "ada@example.com" },
  ...{ confirmed_at: null, confirmed_by: null, approved_at: null, approved_by: null },
  ...changed,
});

const aLine = (changed: Partial<RowOf<"transfer-batches/:reference/lines">> = {}) => ({
  ...{ line: 2, amount: 1_500, bank_code: "000", bank_name: "Test Bank", account_number: "0000000011" },
  ...{ account_name: "Test Success", narration: null, reference: "bat_1-2", faults: [], outcome: null },
  ...{ refusal: null, transfer: null },
  ...changed,
});

function show(batch: Batch, lines = [aLine(), aLine({ line: 3 })], role: "owner" | "viewer" = "owner") {
  server.reads("transfer-batches/:reference", batch);
  server.reads("transfer-batches/:reference/lines", { data: lines, next: null });
  return showPage(<BatchPage />, {
    at: `transfers/bulk/${REFERENCE}`,
    path: "transfers/bulk/:reference",
    scope: { role },
  });
}
const sent = (act: string) => server.fieldsOf(`POST m/${MERCHANT}/test/${BATCH}/${act}`);

test("a checked file is confirmed with the lines and the total that are shown", async () => {
  const { user } = show(aBatch());
  expect((await screen.findByRole("region", { name: "Ready to send" })).textContent).toContain(
    "You're about to send ₦3,000.00 in 2 transfers. This is test money.",
  );
  server.acts("transfer-batches/:reference/confirm", aBatch({ state: "sending" }));
  await user.click(screen.getByRole("button", { name: "Send ₦3,000.00" }));
  await waitFor(() => expect(sent("confirm")).toEqual([{ lines: 2, total: 3_000 }]));
});

test("a file with faults shows each of them and cannot be confirmed", async () => {
  const faults = [
    { param: "amount", code: "invalid", message: "“1,000” is not an amount." },
    { param: "bank_code", code: "unknown", message: "No bank has the code “44”." },
  ];
  show(aBatch({ faulty: 1 }), [aLine({ amount: null, faults })]);
  await screen.findByText("“1,000” is not an amount.");
  await screen.findByText("No bank has the code “44”.");
  expect(screen.queryByRole("button", { name: /^Send/ })).toBeNull();
  await waitFor(() =>
    expect(server.fieldsOf(`GET m/${MERCHANT}/test/${BATCH}/lines`).at(-1)).toMatchObject({ only: "faulty" }),
  );
});

const awaiting = (user_id: string) =>
  aBatch({
    state: "awaiting_approval",
    confirmed_at: "2026-11-21T09:31:00.000+00:00",
    confirmed_by: { kind: "member", user_id, email: "b@example.com" },
  });

test("a file above the threshold is not approved by the person who confirmed it", async () => {
  show(awaiting("usr_1"));
  await screen.findByText(/You confirmed it, so another owner or a finance member/);
  expect(screen.queryByRole("button", { name: /^Approve/ })).toBeNull();
});

test("a file above the threshold is approved by another person", async () => {
  const { user } = show(awaiting("usr_2"));
  server.acts("transfer-batches/:reference/approve", aBatch({ state: "sending" }));
  await user.click(await screen.findByRole("button", { name: "Approve and send ₦3,000.00" }));
  await waitFor(() => expect(sent("approve")).toEqual([{ confirmed_at: "2026-11-21T09:31:00.000+00:00" }]));
});

test("refused lines say why, and are tried again on request", async () => {
  const refusal = "The settled balance is too low for this transfer.";
  const { user } = show(aBatch({ state: "sent", ordered: 1, refused: 1, ordered_total: 1_500 }), [
    aLine({ outcome: "ordered", transfer: "trf_1" }),
    aLine({ line: 3, outcome: "refused", refusal }),
  ]);
  await screen.findByText(`Refused: ${refusal}`);
  expect((await screen.findByRole("link", { name: "View transfer" })).getAttribute("href")).toMatch(
    /\/transfers\/trf_1$/,
  );
  server.acts("transfer-batches/:reference/reopen", aBatch({ ordered: 1, ordered_total: 1_500 }));
  await user.click(screen.getByRole("button", { name: "Try it again" }));
  await waitFor(() => expect(sent("reopen")).toHaveLength(1));
});

test("a file that was tried again is confirmed with what is left of it, and what was ordered cannot be discarded", async () => {
  const { user } = show(aBatch({ ordered: 1, ordered_total: 1_499.9 }));
  server.acts("transfer-batches/:reference/confirm", aBatch({ state: "sending" }));
  await user.click(await screen.findByRole("button", { name: "Send ₦1,500.10" }));
  await waitFor(() => expect(sent("confirm")).toEqual([{ lines: 1, total: 1_500.1 }]));
  expect(screen.queryByRole("button", { name: "Discard" })).toBeNull();
});

test("a file whose lines were all ordered before sends nothing, and says what next month's payroll needs", async () => {
  show(aBatch({ ordered: 2, ordered_total: 3_000 }));
  expect((await screen.findByRole("region", { name: "These transfers already exist" })).textContent).toContain(
    "a new reference",
  );
  expect(screen.queryByRole("button", { name: /^Send/ })).toBeNull();
});

test("who may not send money decides nothing", async () => {
  show(aBatch(), [aLine()], "viewer");
  await screen.findByText("Checked; not confirmed");
  expect(screen.queryByRole("button", { name: /Send|Discard/ })).toBeNull();
});

test("a file that is refused says why, and one that was uploaded before is opened as it is", async () => {
  server.reads("transfer-batches", { data: [aBatch({ state: "sent", ordered: 2 })], next: null });
  const { user, address } = showPage(<BulkPage />, { at: "transfers/bulk" });
  await screen.findByText("2 transfers created");
  const file = new File(["amount\n1"], "salaries.csv", { type: "text/csv" });
  const input = document.querySelector<HTMLInputElement>("input[type=file]");
  if (!input) throw new Error("there is no input for files");
  const detail = "The first line must name the columns. Nothing was sent.";
  server.refuses("POST", `m/${MERCHANT}/test/transfer-batches`, { status: 400, code: "validation_failed", detail });
  await user.upload(input, file);
  expect((await screen.findByRole("alert")).textContent).toContain(detail);
  server.acts("transfer-batches", { batch: aBatch(), created: false });
  await user.upload(input, file);
  await waitFor(() => expect(address()).toMatch(/\/transfers\/bulk\/bat_1$/));
});

test.each<[Partial<Batch>, string]>([
  [{ state: "checking", checked: 1 }, "Checking: 1 of 2 transfers"],
  [{ faulty: 1 }, "1 line with faults"],
  [{ state: "awaiting_approval" }, "Waiting for approval"],
  [{ state: "sending", ordered: 1 }, "Sending: 1 of 2 transfers"],
  [{ state: "sent", ordered: 1, refused: 1 }, "1 created, 1 refused"],
])("a file's progress is in words", (changed, words) => expect(progressWords(aBatch(changed))).toBe(words));
