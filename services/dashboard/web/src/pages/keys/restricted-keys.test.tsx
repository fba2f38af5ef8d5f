import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { showPage } from "../../../test/page.tsx";
import { MERCHANT, useServer } from "../../../test/server.ts";
import { useRead } from "../../api/hooks.ts";
import type { Key } from "./exposure-words.ts";
import { RestrictedKeys } from "./restricted-keys.tsx";

const server = useServer();
const CREATE = `POST m/${MERCHANT}/test/keys/restricted`;

const key: Key = {
  id: "7",
  kind: "restricted",
  mode: "test",
  prefix: "rk_test_",
  last_four: "3xYz",
  public_key: null,
  last_used_at: null,
  created_at: "2026-11-21T10:00:00.000+00:00",
  expires_at: null,
  name: "Payroll",
  scopes: ["transfers:write"],
  addresses: ["102.89.0.0/16"],
  made_by: null,
  exposed_to: [],
};

async function fillIn(addresses = "") {
  const { user } = showPage(<RestrictedKeys keys={[]} />);
  await user.click(screen.getByRole("button", { name: "Create restricted key" }));
  await user.type(await screen.findByLabelText(/^Name/), "Payroll");
  await user.click(screen.getByRole("checkbox", { name: /^balance/ }));
  if (addresses) await user.type(screen.getByLabelText(/^IP addresses/), addresses);
  return user;
}

test("a key is created with its name, scopes and addresses, and shown until it is said to be saved", async () => {
  server.acts("keys/restricted", { key: "rk_test_secret", key_id: "7" });
  const user = await fillIn("102.89.0.0/16{enter}10.0.0.1, 2001:db8::1");
  await user.click(screen.getByRole("button", { name: "Create key" }));
  await screen.findByText("rk_test_secret");
  expect(server.fieldsOf(CREATE)).toEqual([
    { name: "Payroll", scopes: ["balance"], addresses: ["102.89.0.0/16", "10.0.0.1", "2001:db8::1"] },
  ]);
  await user.click(screen.getByRole("button", { name: "I've saved it" }));
  await waitFor(() => expect(screen.queryByText("rk_test_secret")).toBeNull());
});

test("without a scope nothing is sent, and an address that is refused is named", async () => {
  const user = await fillIn("102.89.0.0/16 shop.example");
  await user.click(screen.getByRole("checkbox", { name: /^balance/ }));
  await user.click(screen.getByRole("button", { name: "Create key" }));
  await screen.findByText("Choose at least one.");
  expect(server.fieldsOf(CREATE)).toEqual([]);
  await user.click(screen.getByRole("checkbox", { name: /^accounts/ }));
  server.refuses("POST", `m/${MERCHANT}/test/keys/restricted`, {
    status: 400,
    code: "validation_failed",
    errors: [{ param: "addresses.1", code: "invalid_format", message: "must be an IPv4 or IPv6 address" }],
  });
  await user.click(screen.getByRole("button", { name: "Create key" }));
  await screen.findByText("shop.example must be an IPv4 or IPv6 address.");
});

test("every scope is offered", async () => {
  await fillIn();
  const offered = screen.getAllByRole("checkbox").map((box) => box.getAttribute("value"));
  expect(offered).toEqual([
    "balance",
    "accounts",
    "payments",
    "collections",
    "events",
    "transfers:read",
    "transfers:write",
  ]);
});

const has = (...keys: Key[]) => server.answers("GET", `m/${MERCHANT}/test/keys`, () => ({ keys }));
const AsRead = () => <RestrictedKeys keys={useRead("keys").data?.keys ?? []} />;

test("a key is revoked only after its name is typed, and the focus is on the section's heading when it has left", async () => {
  server.acts("keys/:key_id/revoke", { key_id: "7", expires_at: "2026-11-22T10:00:00.000+00:00" });
  has(key);
  const { user } = showPage(<AsRead />);
  await user.click(await screen.findByRole("button", { name: "Revoke Payroll" }));
  const revoke = await screen.findByRole<HTMLButtonElement>("button", { name: "Revoke key" });
  expect(revoke.disabled).toBe(true);
  await user.type(screen.getByLabelText("Type “Payroll” to confirm"), "Payroll");
  has();
  await user.click(revoke);
  await waitFor(() => expect(server.fieldsOf(`POST m/${MERCHANT}/test/keys/7/revoke`)).toHaveLength(1));
  await waitFor(() => expect(screen.queryByText("Payroll")).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Restricted keys" }));
});

test("a viewer sees the keys and can neither create nor revoke one", () => {
  showPage(<RestrictedKeys keys={[key]} />, { scope: { role: "viewer" } });
  expect(screen.getByText("From 102.89.0.0/16")).toBeTruthy();
  expect(screen.queryByRole("button")).toBeNull();
});

test("an owner is told who left with a key, and can decide to keep it", async () => {
  const exposed_to = [
    {
      user_id: "usr_2",
      name: "Emeka Obi",
      email: "emeka@example.com",
      until: "2026-05-03T10:00:00.000+00:00",
      present: null,
      made_it: true,
    },
  ];
  server.acts("keys/:key_id/keep", { key_id: "7" });
  const { user } = showPage(<RestrictedKeys keys={[{ ...key, exposed_to }]} />);
  await screen.findByText(/Emeka Obi left on 3 May 2026 and made this key\./);
  await user.click(screen.getByRole("button", { name: "Keep the key although Emeka Obi may know it" }));
  await waitFor(() => expect(server.fieldsOf(`POST m/${MERCHANT}/test/keys/7/keep`)).toEqual([{ user_id: "usr_2" }]));
});
