import { expect, test } from "vitest";
import { permissionToMake } from "./key-permission.ts";

test.each([
  [{ kind: "secret", mode: "live" }, "secret_keys"],
  [{ kind: "secret", mode: "test" }, "keys"],
  [{ kind: "public", mode: "live" }, "keys"],
  [{ kind: "restricted", mode: "live", scopes: ["balance", "transfers:read"] }, "keys"],
  [{ kind: "restricted", mode: "live", scopes: ["balance", "transfers:write"] }, "secret_keys"],
  [{ kind: "restricted", mode: "test", scopes: ["transfers:write"] }, "keys"],
  [{ kind: "restricted", mode: "live", scopes: "transfers:write" }, "secret_keys"],
  [{ kind: "restricted", mode: "live" }, "secret_keys"],
  [{ kind: ["public"], mode: "live" }, "secret_keys"],
  [{ kind: undefined, mode: "live" }, "secret_keys"],
] as const)("%j takes the permission %s", (key, permission) => expect(permissionToMake(key)).toBe(permission));
