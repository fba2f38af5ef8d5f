import { expect, test } from "vitest";
import { deviceName } from "./device-name.ts";

const ON_WINDOWS =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36";

test.each([
  [ON_WINDOWS, "Chrome on Windows"],
  [`${ON_WINDOWS} Edg/140.0`, "Edge on Windows"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1",
    "Safari on iPhone or iPad",
  ],
  ["Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36", "Chrome on Android"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
])("a device gets its common name, whatever other browsers its user agent mentions: %#", (agent, name) => {
  expect(deviceName(agent)).toBe(name);
});

test("an unrecognized device is unknown, and a long name is cut", () => {
  expect([deviceName(null), deviceName("")]).toEqual(["Unknown device", "Unknown device"]);
  expect(deviceName("x".repeat(100))).toHaveLength(40);
});
