import { expect, test } from "vitest";
import { isAtLeast, keepsAnOwner } from "./role.ts";

test("an owner may do everything, a developer what a viewer may, a viewer only look", () => {
  const roles = ["owner", "developer", "viewer"] as const;
  const may = roles.map((role) => roles.filter((least) => isAtLeast(role, least)));
  expect(may).toEqual([["owner", "developer", "viewer"], ["developer", "viewer"], ["viewer"]]);
});

test("a team keeps an owner when members go or get another role", () => {
  const team = [
    { userId: "a", role: "owner" },
    { userId: "b", role: "viewer" },
  ] as const;
  expect(keepsAnOwner(team, { userId: "b", role: null })).toBe(true);
  expect(keepsAnOwner(team, { userId: "a", role: null })).toBe(false);
  expect(keepsAnOwner(team, { userId: "a", role: "developer" })).toBe(false);
  expect(keepsAnOwner([...team, { userId: "c", role: "owner" }], { userId: "a", role: null })).toBe(true);
});
