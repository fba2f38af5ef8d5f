import { MEMBER_ROLES } from "@collect/contracts";
import { expect, test } from "vitest";
import { assertAllowed, isAllowed, keepsAnOwner, PERMISSIONS, permissionsOf, rolesBeyond } from "./role.ts";

test("an owner may do everything, and every role may look", () => {
  expect(permissionsOf("owner")).toEqual([...PERMISSIONS]);
  for (const role of MEMBER_ROLES) expect(isAllowed(role, "read")).toBe(true);
});

test("who has the money has no keys, and who has the keys has no money", () => {
  const holders = (permission: (typeof PERMISSIONS)[number]) =>
    MEMBER_ROLES.filter((role) => isAllowed(role, permission));
  for (const permission of ["money", "approvals", "exports"] as const)
    expect(holders(permission)).toEqual(["owner", "finance"]);
  for (const permission of ["keys", "webhooks", "logs"] as const)
    expect(holders(permission)).toEqual(["owner", "developer"]);
  expect(holders("resend")).toEqual(["owner", "developer", "support"]);
  for (const permission of ["secret_keys", "team", "business"] as const) expect(holders(permission)).toEqual(["owner"]);
});

test("a refusal names the roles that may", () => {
  expect(() => assertAllowed("developer", "secret_keys")).toThrow("Only an owner can do that.");
  expect(() => assertAllowed("support", "money")).toThrow("Only an owner or a finance member can do that.");
  expect(() => assertAllowed("viewer", "resend")).toThrow(
    "Only an owner, a developer or a support member can do that.",
  );
});

test("a role goes beyond another if it may do anything that the other may not", () => {
  expect(rolesBeyond("owner")).toEqual([]);
  expect(rolesBeyond("developer")).toEqual(["owner", "finance"]);
  expect(rolesBeyond("finance")).toEqual(["owner", "developer", "support"]);
  expect(rolesBeyond("viewer")).toEqual(["owner", "finance", "developer", "support"]);
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
