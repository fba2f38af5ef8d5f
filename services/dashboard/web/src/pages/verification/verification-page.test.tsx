import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { aVerification } from "../../../test/examples.ts";
import { showPage } from "../../../test/page.tsx";
import { MERCHANT, useServer } from "../../../test/server.ts";
import { VerificationPage } from "./verification-page.tsx";

const server = useServer();
const VERIFICATION = `m/${MERCHANT}/test/verification`;

beforeEach(() => {
  server.reads("banks", { data: [], mode: "live" }, "live");
});

test("a draft is saved with exactly what was typed, and says so", async () => {
  server.reads("verification", aVerification());
  server.acts("verification", aVerification());
  const { user } = showPage(<VerificationPage />);
  await user.type(await screen.findByLabelText("Registered name"), " Ada Stores Ltd ");
  await user.click(screen.getByRole("button", { name: "Save draft" }));
  await screen.findByText("Draft saved.");
  expect(server.fieldsOf(`POST ${VERIFICATION}`)).toEqual([{ details: { registered_name: "Ada Stores Ltd" } }]);
});

test("missing values are reported at each field after submitting", async () => {
  server.reads("verification", aVerification({ details: { registered_name: "Ada Stores Ltd" } }));
  server.refuses("POST", `${VERIFICATION}/submit`, {
    status: 422,
    code: "validation_failed",
    errors: [{ param: "details.rc_number", code: "required", message: "must be a registration number" }],
  });
  const { user } = showPage(<VerificationPage />);
  await user.click(await screen.findByRole("button", { name: "Submit for verification" }));
  await screen.findByText("Must be a registration number.");
  expect((await screen.findByRole("alert")).textContent).toContain("Some fields are missing or invalid");
  expect(Object.keys(Object(server.fieldsOf(`POST ${VERIFICATION}/submit`)[0]?.details))).toHaveLength(8);
});

test("an account unknown to the bank is an error of the account number", async () => {
  server.reads("verification", aVerification());
  const detail = "The bank has no account with this number.";
  server.refuses("POST", `${VERIFICATION}/submit`, { status: 422, code: "account_unresolved", detail });
  const { user } = showPage(<VerificationPage />);
  await user.click(await screen.findByRole("button", { name: "Submit for verification" }));
  await waitFor(() =>
    expect(screen.getByLabelText("Settlement account number").getAttribute("aria-invalid")).toBe("true"),
  );
});

test("a verification in review cannot be changed", async () => {
  server.reads("verification", aVerification({ state: "submitted", submitted_at: "2026-11-21T10:00:00.000+00:00" }));
  showPage(<VerificationPage />);
  await screen.findByText("We're reviewing your details");
  expect(screen.queryByRole("button", { name: "Save draft" })).toBeNull();
});

test("only an owner fills it in", async () => {
  server.reads("verification", aVerification());
  showPage(<VerificationPage />, { scope: { role: "developer" } });
  await screen.findByText("Only an owner can fill this in and submit it.");
});
