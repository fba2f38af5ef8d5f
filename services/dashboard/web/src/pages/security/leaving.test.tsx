import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { ME, showPage } from "../../../test/page.tsx";
import { useServer } from "../../../test/server.ts";
import { Devices } from "./devices.tsx";
import { Passkeys } from "./passkeys.tsx";

/** What a person takes away, and where the focus is then. */

const server = useServer();
const AT = "2026-11-21T10:00:00.000Z";

test("a passkey is removed only after its name is typed; then the focus is on the section's heading", async () => {
  const [phone, laptop] = ["Phone", "Laptop"].map((name) => ({ id: name, name, createdAt: AT }));
  const has = (...passkeys: unknown[]) => server.answers("GET", "auth/passkey/list-user-passkeys", () => passkeys);
  has(phone, laptop);
  server.answers("POST", "auth/passkey/delete-passkey", () => ({ status: true }));
  const { user } = showPage(<Passkeys />, { user: { has_passkey: true } });
  await user.click(await screen.findByRole("button", { name: "Remove Phone" }));
  const remove = await screen.findByRole<HTMLButtonElement>("button", { name: "Remove passkey" });
  expect(remove.disabled).toBe(true);
  await user.type(screen.getByLabelText("Type “Phone” to confirm"), "Phone");
  has(laptop);
  await user.click(remove);
  await waitFor(() => expect(screen.queryByRole("button", { name: "Remove Phone" })).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Passkeys" })));
  expect(server.fieldsOf("POST auth/passkey/delete-passkey")).toEqual([{ id: "Phone" }]);
});

test("the focus of a device that is signed out goes to the section's heading", async () => {
  const [here, other] = [ME.session.id, "ses_2"].map((id) => ({
    ...{ id, token: id, userAgent: null, ipAddress: null, createdAt: AT },
  }));
  const has = (...sessions: unknown[]) => server.answers("GET", "auth/list-sessions", () => sessions);
  has(here, other);
  server.answers("POST", "auth/revoke-session", () => ({ status: true }));
  const { user } = showPage(<Devices />);
  const button = await screen.findByRole("button", { name: /^Sign out (?!all)/ });
  has(here);
  await user.click(button);
  await waitFor(() => expect(screen.queryByRole("button")).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Signed-in devices" }));
});
