import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { showPage } from "../../test/page.tsx";
import { SetUpFactor } from "./set-up-factor.tsx";

const RULES = { sends_mail: true, live_second_factor: true, test_receiver: false };
const shown = () => screen.queryByText("Set up a second factor") !== null;

test("in test mode an owner without a second factor is led to setting it up", () => {
  showPage(<SetUpFactor />, { rules: RULES });
  expect(screen.getByRole("link", { name: "Set it up" }).getAttribute("href")).toBe("/m/mer_1/test/settings/security");
});

test.each([
  ["where it is set up", { at: "settings/security", path: "*", rules: RULES }],
  ["to a user who has one", { user: { has_passkey: true }, rules: RULES }],
  ["to a developer, who cannot move money", { scope: { role: "developer" as const }, rules: RULES }],
  ["before the address is confirmed, which comes first", { user: { is_confirmed: false }, rules: RULES }],
  ["where none is required", {}],
])("it is not shown %s", (_where, options) => {
  showPage(<SetUpFactor />, options);
  expect(shown()).toBe(false);
});
