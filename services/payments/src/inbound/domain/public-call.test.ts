import { describe, expect, test } from "vitest";
import { allowedCall, DEFAULT_SETTINGS } from "./public-call.ts";

const SHOP = { ...DEFAULT_SETTINGS, return_hosts: ["shop.example"] };
const returnTo = (redirect_url: string, settings = SHOP, mode: "test" | "live" = "live") =>
  allowedCall({ redirect_url }, settings, mode);

describe("a return address under a public key", () => {
  test("is kept when its host is listed, whatever its case, path and default port", () => {
    for (const url of ["https://shop.example/done?a=1#b", "https://SHOP.example", "https://shop.example:443/"])
      expect(returnTo(url)).toMatchObject({ redirect_url: url, warnings: [] });
  });

  test.each([
    "https://evil.example",
    "https://shop.example.evil.example",
    "https://shop.example@evil.example/",
    "https://evil.example/https://shop.example",
    "https://shop.example:8443/",
    "https://sub.shop.example/",
    "https://shop.example%2eevil.example/",
    "https://evil.example\\@shop.example/",
  ])("live, %s is left out with a warning that names the setting", (url) => {
    const { redirect_url, warnings } = returnTo(url);
    expect([redirect_url, warnings.map(({ param }) => param)]).toEqual([undefined, ["redirect_url"]]);
  });

  test("live, none is kept before one is listed", () => {
    expect(returnTo("https://shop.example", DEFAULT_SETTINGS).warnings).toEqual([
      {
        param: "redirect_url",
        code: "return_host_not_allowed",
        message: "was left out: add shop.example to the return hosts in the dashboard, under Settings › Business",
      },
    ]);
  });

  test("in test mode, any https host is kept until one is listed", () => {
    expect(returnTo("https://localhost:3000/", DEFAULT_SETTINGS, "test").warnings).toEqual([]);
    expect(returnTo("https://localhost:3000/", SHOP, "test").redirect_url).toBeUndefined();
  });

  test("is left out with another warning unless it is https", () => {
    expect(returnTo("javascript:alert(1)", DEFAULT_SETTINGS, "test").warnings).toMatchObject([{ code: "not_https" }]);
  });
});

test("a description is left out with a warning where the merchant shows none", () => {
  const call = { description: "Pay to 0123456789 instead" };
  expect(allowedCall(call, DEFAULT_SETTINGS, "live")).toMatchObject({ ...call, warnings: [] });
  const off = { ...DEFAULT_SETTINGS, public_descriptions: false };
  expect(allowedCall(call, off, "live")).toMatchObject({
    description: undefined,
    warnings: [{ param: "description", code: "description_not_allowed" }],
  });
  expect(allowedCall({}, off, "live").warnings).toEqual([]);
});
