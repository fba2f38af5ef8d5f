import { screen } from "@testing-library/react";
import { Route, Routes } from "react-router";
import { expect, test } from "vitest";
import { ME, showAt } from "../../../test/page.tsx";
import { useServer } from "../../../test/server.ts";
import { SignInLinkPage } from "./sign-in-link-page.tsx";
import { SignInPage } from "./sign-in-page.tsx";
import { SignUpPage } from "./sign-up-page.tsx";

const server = useServer();
const app = (
  <Routes>
    <Route path="/sign-in" element={<SignInPage />} />
    <Route path="/sign-up" element={<SignUpPage />} />
    <Route path="/sign-in/link/:token" element={<SignInLinkPage />} />
    <Route path="*" element={<p>Inside</p>} />
  </Routes>
);

/** Signed out until `signIn` is called. */
function signedOut() {
  let me: typeof ME | null = null;
  server.personReads("me", () => me);
  return () => {
    me = ME;
    return {};
  };
}

async function givePassword(address = "/sign-in") {
  const shown = showAt(address, app);
  await shown.user.type(await screen.findByLabelText(/^Email/), "ada@example.com");
  await shown.user.type(screen.getByLabelText(/^Password/), "three plain words{Enter}");
  return shown;
}

test("the right password leads to the requested page", async () => {
  server.personActs("auth/sign-in/email", signedOut());
  const { address } = await givePassword("/sign-in?to=%2Fm%2Fmer_1%2Ftest%2Fpayers");
  await screen.findByText("Inside");
  expect(address()).toBe("/m/mer_1/test/payers");
});

test("a wrong password is reported, and the email stays filled in", async () => {
  signedOut();
  const detail = "The email or password is incorrect.";
  server.refuses("POST", "auth/sign-in/email", { status: 401, code: "sign_in_required", detail });
  await givePassword();
  expect((await screen.findByRole("alert")).textContent).toBe(detail);
  expect(screen.getByLabelText<HTMLInputElement>(/^Email/).value).toBe("ada@example.com");
});

test("with two-factor authentication the password alone does not sign in; a code with spaces is accepted, a wrong one explained", async () => {
  const signIn = signedOut();
  server.personActs("auth/sign-in/email", { twoFactorRedirect: true });
  server.refuses("POST", "auth/two-factor/verify-totp", {
    status: 422,
    code: "validation_failed",
    errors: [{ param: "code", code: "invalid", message: "is not right" }],
  });
  const { user } = await givePassword();
  const code = await screen.findByLabelText(/^Authenticator code/);
  await user.type(code, "123 456{Enter}");
  await screen.findByText(/Enter the current code/);
  server.personActs("auth/two-factor/verify-totp", signIn);
  await user.click(screen.getByRole("button", { name: "Sign in" }));
  await screen.findByText("Inside");
  expect(server.fieldsOf("POST auth/two-factor/verify-totp").at(-1)).toEqual({ code: "123456" });
});

test("without the phone a backup code signs in, typed as it was written down", async () => {
  const signIn = signedOut();
  server.personActs("auth/sign-in/email", { twoFactorRedirect: true });
  server.personActs("auth/two-factor/verify-backup-code", signIn);
  const { user } = await givePassword();
  await user.click(await screen.findByRole("button", { name: "Use a backup code instead" }));
  await user.type(screen.getByLabelText(/^Backup code/), " aBcDe-12345 {Enter}");
  await screen.findByText("Inside");
  expect(server.fieldsOf("POST auth/two-factor/verify-backup-code")).toEqual([{ code: "aBcDe-12345" }]);
});

test("signing up with an existing email does not reveal it, only that an old password has not changed", async () => {
  signedOut();
  server.personActs("auth/sign-up/email", { status: true });
  server.refuses("POST", "auth/sign-in/email", { status: 401, code: "sign_in_required" });
  const { user } = showAt("/sign-up", app);
  await user.type(await screen.findByLabelText(/^Your name/), "Ada Obi");
  await user.type(screen.getByLabelText(/^Email/), "ada@example.com");
  await user.type(screen.getByLabelText(/^Password/), "three plain words{Enter}");
  expect((await screen.findByRole("alert")).textContent).toContain("its password has not changed");
});

test("opening a sign-in link does not use it; only the click does, and a used one says so", async () => {
  signedOut();
  server.refuses("POST", "sign-in-link", { status: 404, code: "not_found" });
  const { user } = showAt("/sign-in/link/abc", app);
  const button = await screen.findByRole("button", { name: "Sign in" });
  expect(server.fieldsOf("POST sign-in-link")).toEqual([]);
  await user.click(button);
  await screen.findByRole("heading", { name: "This link no longer works" });
  expect(server.fieldsOf("POST sign-in-link")).toEqual([{ token: "abc" }]);
});

test("a link is not reported as used because the server was unavailable", async () => {
  signedOut();
  server.refuses("POST", "sign-in-link", { status: 503, code: "service_unavailable", detail: "Try again shortly." });
  const { user } = showAt("/sign-in/link/abc", app);
  await user.click(await screen.findByRole("button", { name: "Sign in" }));
  expect((await screen.findByRole("alert")).textContent).toBe("Try again shortly.");
});
