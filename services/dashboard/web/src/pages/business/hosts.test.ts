import { expect, test } from "vitest";
import { hostsIn } from "./hosts.ts";

test("hosts are read from lines, and from addresses that were pasted", () => {
  const text = " shop.example\nhttps://shop.example/thanks?a=1\n\nother.example:8443, last.example ";
  expect(hostsIn(text)).toEqual(["shop.example", "other.example:8443", "last.example"]);
  expect(hostsIn(" \n ")).toEqual([]);
});
