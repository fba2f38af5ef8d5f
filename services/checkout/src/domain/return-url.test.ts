import { expect, test } from "vitest";
import { returnUrl } from "./return-url.ts";

const R = "pay_7Yk3pQ2mVd9sRw4tXb6nLc";

test.each([
  ["https://shop.example", `https://shop.example?reference=${R}`],
  ["https://shop.example/", `https://shop.example/?reference=${R}`],
  ["https://shop.example/done", `https://shop.example/done?reference=${R}`],
  ["https://shop.example/done?", `https://shop.example/done?reference=${R}`],
  ["https://shop.example/done?order=1", `https://shop.example/done?order=1&reference=${R}`],
  ["https://shop.example/done?order=1&", `https://shop.example/done?order=1&reference=${R}`],
  ["https://shop.example/done?order=1&order=2", `https://shop.example/done?order=1&order=2&reference=${R}`],
  ["https://shop.example/done#top", `https://shop.example/done?reference=${R}#top`],
  ["https://shop.example/done?order=1#top", `https://shop.example/done?order=1&reference=${R}#top`],
  ["https://shop.example/done?#", `https://shop.example/done?reference=${R}#`],
  // Everything after the # is the fragment, question marks and references included.
  ["https://shop.example/#/done?reference=1", `https://shop.example/?reference=${R}#/done?reference=1`],
  ["https://shop.example/?a#b#c", `https://shop.example/?a&reference=${R}#b#c`],
  // A second question mark belongs to the query.
  ["https://shop.example/?to=/x?y=1", `https://shop.example/?to=/x?y=1&reference=${R}`],
  // Nothing is encoded, decoded, normalised or sorted.
  ["https://shop.example/a%2Fb?q=%20+%C3%A9&&x", `https://shop.example/a%2Fb?q=%20+%C3%A9&&x&reference=${R}`],
  ["https://SHOP.example:443/../é?q=ü&b=[1]", `https://SHOP.example:443/../é?q=ü&b=[1]&reference=${R}`],
  ["https://shop.example/?q=%zz", `https://shop.example/?q=%zz&reference=${R}`],
  ["https://u:p@shop.example/?q", `https://u:p@shop.example/?q&reference=${R}`],
  ["https://shop.example/?q=a\nb#c\nd", `https://shop.example/?q=a\nb&reference=${R}#c\nd`],
  // Another parameter, or another case, is not a reference.
  ["https://shop.example/?Reference=1", `https://shop.example/?Reference=1&reference=${R}`],
  ["https://shop.example/?my_reference=1", `https://shop.example/?my_reference=1&reference=${R}`],
  ["https://shop.example/?reference_id=1", `https://shop.example/?reference_id=1&reference=${R}`],
  ["https://shop.example/?order=reference", `https://shop.example/?order=reference&reference=${R}`],
  ["https://shop.example/reference=1", `https://shop.example/reference=1?reference=${R}`],
])("%s becomes %s", (redirect, expected) => expect(returnUrl(redirect, R)).toBe(expected));

test.each([
  "https://shop.example/?reference=mine",
  "https://shop.example/?reference=",
  "https://shop.example/?reference",
  "https://shop.example/?a=1&reference=mine&b=2#top",
  "https://shop.example/?%72eference=mine",
  "https://shop.example/?reference=a&reference=b",
])("an existing reference parameter is not changed: %s", (redirect) => expect(returnUrl(redirect, R)).toBe(redirect));
