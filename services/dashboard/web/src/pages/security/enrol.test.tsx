import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { showPage } from "../../../test/page.tsx";
import { useServer } from "../../../test/server.ts";
import { Passkeys } from "./passkeys.tsx";
import { TwoFactor } from "./two-factor.tsx";

const server = useServer();
const UNTIL = "2026-11-21T10:15:00.000+00:00";
const SENT = { sent_to: "ada@example.com", code: null, permitted_until: null };
const SECRET = { totpURI: "otpauth://totp/Collect:ada?secret=ABCDEFGH", backupCodes: ["one", "two"] };

async function giveThePassword(user: ReturnType<typeof showPage>["user"]) {
  await user.click(await screen.findByRole("button", { name: "Turn on two-factor" }));
  await user.type(screen.getByLabelText("Your password"), "three plain words{Enter}");
}

test("an authenticator app is set up with the password and the code from the mail, which is asked for once more if it is wrong", async () => {
  server.personActs("second-factor/begin", SENT);
  server.refuses("POST", "second-factor/confirm", {
    status: 400,
    code: "validation_failed",
    errors: [{ param: "code", code: "invalid", message: "is not right" }],
  });
  server.personActs("auth/two-factor/enable", SECRET);
  const { user } = showPage(<TwoFactor />);
  await giveThePassword(user);
  await screen.findByText("ada@example.com");
  await user.type(screen.getByLabelText("Code from the email"), "1234 5678{Enter}");
  await screen.findByText("Incorrect code. Check the latest email.");
  expect(server.fieldsOf("POST auth/two-factor/enable")).toEqual([]);
  server.personActs("second-factor/confirm", { permitted_until: UNTIL });
  await user.click(screen.getByRole("button", { name: "Continue" }));
  await screen.findByText("ABCD EFGH");
  expect(server.fieldsOf("POST auth/two-factor/enable")).toEqual([{ password: "three plain words" }]);
});

test("a wrong password is said beside its field, and sends no code", async () => {
  server.refuses("POST", "second-factor/begin", {
    status: 400,
    code: "validation_failed",
    errors: [{ param: "password", code: "invalid", message: "is not right" }],
  });
  const { user } = showPage(<TwoFactor />);
  await giveThePassword(user);
  await screen.findByText("Incorrect password.");
  expect(screen.queryByLabelText("Code from the email")).toBeNull();
});

test("an unconfirmed address is named as the reason", async () => {
  server.refuses("POST", "second-factor/begin", {
    status: 403,
    code: "address_unconfirmed",
    detail: "Confirm your email address first.",
  });
  const { user } = showPage(<TwoFactor />);
  await giveThePassword(user);
  await screen.findByText("Confirm your email address first.");
});

test("a new code is sent on request, and the page says so", async () => {
  server.personActs("second-factor/begin", SENT);
  const { user } = showPage(<TwoFactor />);
  await giveThePassword(user);
  await user.click(await screen.findByRole("button", { name: "Send a new code" }));
  await screen.findByText("A new code is on its way. It replaces the previous one.");
  expect(server.fieldsOf("POST second-factor/begin")).toHaveLength(2);
});

test("where no mail is sent the code is filled in", async () => {
  server.personActs("second-factor/begin", { sent_to: null, code: "4821 7730", permitted_until: null });
  server.personActs("second-factor/confirm", { permitted_until: UNTIL });
  server.personActs("auth/two-factor/enable", SECRET);
  const { user } = showPage(<TwoFactor />);
  await giveThePassword(user);
  await screen.findByText(/your code is already filled in/);
  await user.click(screen.getByRole("button", { name: "Continue" }));
  await screen.findByText("ABCD EFGH");
  expect(server.fieldsOf("POST second-factor/confirm")).toEqual([{ code: "4821 7730" }]);
});

test("a further passkey needs the password and no code; one is named only then", async () => {
  server.personReads("auth/passkey/list-user-passkeys", []);
  server.personActs("second-factor/begin", { sent_to: null, code: null, permitted_until: UNTIL });
  const { user } = showPage(<Passkeys />, { user: { has_passkey: true } });
  await user.click(await screen.findByRole("button", { name: "Add a passkey" }));
  expect(screen.queryByLabelText("Passkey name")).toBeNull();
  await user.type(screen.getByLabelText("Your password"), "three plain words{Enter}");
  await screen.findByLabelText("Passkey name");
  await waitFor(() => expect(screen.queryByLabelText("Code from the email")).toBeNull());
});

test("a user without a password is asked to set one first", async () => {
  server.personReads("auth/passkey/list-user-passkeys", []);
  showPage(<Passkeys />, { user: { has_password: false } });
  await screen.findByText("Set a password first.");
});
