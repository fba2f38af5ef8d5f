import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { showPage } from "../../../test/page.tsx";
import { MERCHANT, useServer } from "../../../test/server.ts";
import type { ReadResponse } from "../../api/calls.ts";
import { KeysPage } from "./keys-page.tsx";

const server = useServer();
const MAKE = `POST m/${MERCHANT}/:mode/keys/make`;

type Keys = ReadResponse<"keys">;
const merchant = (changed: Partial<Keys> = {}): Keys => ({
  merchant_id: MERCHANT,
  name: "Ada Stores",
  verified_at: null,
  suspension: null,
  rate_limits: { accounts: 100, reads: 100 },
  created_at: "2026-11-01T10:00:00.000+00:00",
  keys: [],
  ...changed,
});
const secretKey: Keys["keys"][number] = {
  id: "1",
  kind: "secret",
  mode: "test",
  prefix: "sk_test_",
  last_four: "aB3d",
  public_key: null,
  last_used_at: null,
  created_at: "2026-11-21T10:00:00.000+00:00",
  expires_at: null,
  name: null,
  scopes: [],
  addresses: [],
  made_by: null,
  exposed_to: [],
};

test("test keys are created once, when a developer first opens the page, and the secret is shown then", async () => {
  server.reads("keys", () => merchant({ keys: server.fieldsOf(MAKE).length > 0 ? [secretKey] : [] }));
  server.acts("keys/make", { made: { secret: "sk_test_secret", public: "pk_test_1" } });
  showPage(<KeysPage />, { scope: { role: "developer" } });
  await screen.findByText("sk_test_secret");
  await screen.findByText("sk_test_…aB3d");
  expect(server.fieldsOf(MAKE)).toHaveLength(1);
});

test("a viewer who opens the page creates no keys", async () => {
  server.reads("keys", merchant());
  showPage(<KeysPage />, { scope: { role: "viewer" } });
  await screen.findByText(/Keys are created when an owner or a developer/);
  expect(server.fieldsOf(MAKE)).toEqual([]);
});

test("live keys are not offered before the business is verified", async () => {
  server.reads("keys", merchant(), "live");
  showPage(<KeysPage />, { scope: { mode: "live" } });
  await screen.findByText("Live keys require verification");
  expect(screen.queryByRole("button", { name: "Create live keys" })).toBeNull();
});

test("live keys are never created without a click", async () => {
  server.reads("keys", merchant({ verified_at: "2026-11-20T10:00:00.000+00:00" }), "live");
  server.acts("keys/make", { made: { secret: "sk_live_secret", public: "pk_live_1" } }, "live");
  const { user } = showPage(<KeysPage />, { scope: { mode: "live" } });
  const button = await screen.findByRole("button", { name: "Create live keys" });
  expect(server.fieldsOf(MAKE)).toEqual([]);
  await user.click(button);
  await screen.findByText("sk_live_secret");
});

test("a key that has stopped working is not listed beside the one that works", async () => {
  const old = { ...secretKey, last_four: "zzzz", expires_at: "2026-01-01T00:00:00.000+00:00" };
  server.reads("keys", merchant({ keys: [secretKey, old] }));
  showPage(<KeysPage />);
  await screen.findByText("sk_test_…aB3d");
  expect(screen.queryByText("sk_test_…zzzz")).toBeNull();
});

test("stopping a key immediately requires typing the business name; a delayed stop does not", async () => {
  server.reads("keys", merchant({ keys: [secretKey] }));
  server.acts("keys/roll", { key: "sk_test_new", old_keys_expire_at: "2026-11-22T10:00:00.000+00:00" });
  const { user } = showPage(<KeysPage />);
  await user.click(await screen.findByRole("button", { name: "Roll secret key" }));
  const roll = () => screen.getByRole<HTMLButtonElement>("button", { name: "Roll key" });
  expect(roll().disabled).toBe(false);
  await user.click(screen.getByRole("combobox"));
  await user.click(await screen.findByRole("option", { name: "Immediately" }));
  expect(roll().disabled).toBe(true);
  await user.type(screen.getByLabelText("Type “Ada Stores” to confirm"), "Ada Stores");
  await user.click(roll());
  await waitFor(() =>
    expect(server.fieldsOf(`POST m/${MERCHANT}/test/keys/roll`)).toEqual([{ kind: "secret", overlap_hours: 0 }]),
  );
});

test("a developer cannot roll the live secret key, nor give a live key the scope that sends money; an owner can", async () => {
  const live = { ...secretKey, mode: "live", prefix: "sk_live_" } as const;
  server.reads("keys", merchant({ verified_at: "2026-11-20T10:00:00.000+00:00", keys: [live] }), "live");
  const asDeveloper = showPage(<KeysPage />, { scope: { mode: "live", role: "developer" } });
  await screen.findByText("sk_live_…aB3d");
  expect(screen.queryByRole("button", { name: "Roll secret key" })).toBeNull();
  await asDeveloper.user.click(screen.getByRole("button", { name: "Create restricted key" }));
  const box = (name: RegExp) => screen.getByRole<HTMLInputElement>("checkbox", { name });
  expect([box(/^transfers:write/).disabled, box(/^balance/).disabled]).toEqual([true, false]);
  asDeveloper.unmount();
  const asOwner = showPage(<KeysPage />, { scope: { mode: "live" } });
  await screen.findByRole("button", { name: "Roll secret key" });
  await asOwner.user.click(screen.getByRole("button", { name: "Create restricted key" }));
  expect(box(/^transfers:write/).disabled).toBe(false);
});

test("a developer sees the test secret key again, filled into the command; a viewer has no such button", async () => {
  server.reads("keys", merchant({ keys: [secretKey] }));
  server.acts("keys/reveal", { key_id: "1", key: "sk_test_whole_aB3d" });
  const { user, unmount } = showPage(<KeysPage />, { scope: { role: "developer" } });
  await user.click(await screen.findByRole("button", { name: "Show test secret key" }));
  await screen.findByText("sk_test_whole_aB3d");
  screen.getByText(/Authorization: Bearer sk_test_whole_aB3d/);
  unmount();
  server.refuses("POST", `m/${MERCHANT}/test/keys/reveal`, { status: 409, code: "conflict", detail: "Roll it." });
  const again = showPage(<KeysPage />, { scope: { role: "owner" } });
  await again.user.click(await screen.findByRole("button", { name: "Show test secret key" }));
  await screen.findByText("Roll it.");
  again.unmount();
  showPage(<KeysPage />, { scope: { role: "viewer" } });
  await screen.findByText("sk_test_…aB3d");
  expect(screen.queryByRole("button", { name: "Show test secret key" })).toBeNull();
});

test("live mode has no button that shows a secret key", async () => {
  server.reads("keys", merchant({ keys: [{ ...secretKey, mode: "live", prefix: "sk_live_" }] }), "live");
  showPage(<KeysPage />, { scope: { mode: "live", role: "owner" } });
  await screen.findByText("sk_live_…aB3d");
  expect(screen.queryByRole("button", { name: "Show test secret key" })).toBeNull();
});
