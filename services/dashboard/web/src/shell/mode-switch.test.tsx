import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { showPage } from "../../test/page.tsx";
import { MERCHANT } from "../../test/server.ts";
import { ModeSwitch } from "./mode-switch.tsx";

async function switchFrom(at: string): Promise<string> {
  const { user, address } = showPage(<ModeSwitch />, { at });
  await user.click(screen.getByRole("radio", { name: "Live" }));
  return address();
}

test("the other mode shows the same list without this mode's record and filters", async () => {
  expect(await switchFrom("collections/col_1?search=Ada")).toBe(`/m/${MERCHANT}/live/collections`);
});

test("the other mode keeps the section of developers and settings, without this mode's record", async () => {
  expect(await switchFrom("developers/deliveries/5")).toBe(`/m/${MERCHANT}/live/developers/deliveries`);
});

test("from home the other mode leads to home", async () => {
  expect(await switchFrom("")).toBe(`/m/${MERCHANT}/live`);
});
