import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { showPage } from "../../test/page.tsx";
import { MERCHANT, useServer } from "../../test/server.ts";
import { SECTIONS as DEVELOPERS } from "../pages/developers-routes.tsx";
import { SECTIONS as SETTINGS } from "../pages/settings-routes.tsx";
import { CommandPalette } from "./command-palette.tsx";
import { type Found, lookUpGroup, pageGroups } from "./palette-options.ts";

const server = useServer();
const home = `/m/${MERCHANT}/test`;
const AT = "2026-11-21T10:00:00.000+00:00";

const NONE: Found = { collections: [], payers: [], customers: [], sessions: [], transfers: [], links: [] };
const FOUND: Found = {
  ...NONE,
  collections: [{ reference: "col_1", amount: 2500.73, payer_name: "EMEKA OBI", customer_name: null, paid_at: AT }],
  links: [{ slug: "abcdefghij", title: "School fees", amount: null }],
};

type Options = Parameters<typeof showPage>[1];
async function open(options?: Options) {
  const shown = showPage(<CommandPalette />, options);
  await shown.user.keyboard("{Control>}k{/Control}");
  const field = await screen.findByRole("combobox");
  await waitFor(() => expect(document.activeElement).toBe(field));
  return { ...shown, field };
}
const active = (field: HTMLElement) =>
  document.getElementById(field.getAttribute("aria-activedescendant") ?? "")?.textContent;
const groups = () => screen.queryAllByRole("group").map((group) => group.getAttribute("aria-label"));

test("what is found is grouped, before pages and actions, and the arrow keys and Enter lead to it", async () => {
  server.reads("search", FOUND);
  const { user, field, address } = await open();
  await user.type(field, "s");
  expect(server.fieldsOf(`GET m/${MERCHANT}/test/search`)).toEqual([]);
  await user.type(field, "e");
  await screen.findByRole("group", { name: "Collections" });
  expect(groups()).toEqual(["Collections", "Links", "Pages", "Actions"]);
  expect(server.fieldsOf(`GET m/${MERCHANT}/test/search`)).toEqual([{ text: "se" }]);
  expect(active(field)).toContain("₦2,500.73 EMEKA OBI");
  await user.keyboard("{ArrowDown}");
  expect(active(field)).toContain("School fees");
  await user.keyboard("{ArrowUp}{ArrowUp}");
  expect(active(field)).toBe("Send money");
  await user.keyboard("{ArrowDown}{ArrowDown}{Enter}");
  await waitFor(() => expect(address()).toBe(`${home}/links/abcdefghij`));
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("Enter waits for what the text finds, and does not open what an earlier text found", async () => {
  server.reads("search", ({ fields: { text } }) => (text === "2500.73" ? FOUND : NONE));
  const { user, field, address } = await open();
  await user.type(field, "2500.73{Enter}");
  await waitFor(() => expect(address()).toBe(`${home}/collections/col_1`));
});

test("what was opened is offered again, until the page is closed", async () => {
  server.reads("search", FOUND);
  const { user, field } = await open();
  expect(groups()).toEqual(["Pages", "Actions"]);
  await user.type(field, "emeka{Enter}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.keyboard("{Control>}k{/Control}");
  const recent = within(await screen.findByRole("group", { name: "Recent" })).getAllByRole("option");
  expect(recent.map((option) => option.textContent)).toEqual([expect.stringContaining("EMEKA OBI")]);
});

test("Escape closes the palette and gives the focus back", async () => {
  const shown = showPage(
    <>
      <CommandPalette />
      <input aria-label="Half a form" />
    </>,
  );
  const field = screen.getByLabelText("Half a form");
  await shown.user.type(field, "typed/ so far");
  await shown.user.keyboard("{Control>}k{/Control}");
  await screen.findByRole("combobox");
  await shown.user.keyboard("{Escape}");
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(field).toHaveProperty("value", "typed/ so far");
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("what did not answer is named, and can be searched again", async () => {
  server.reads("search", { ...FOUND, customers: null });
  const { user, field } = await open();
  await user.type(field, "ada");
  await screen.findByText(/^We couldn't search customers in time\./);
  server.reads("search", FOUND);
  await user.click(screen.getByRole("button", { name: "Search again" }));
  await waitFor(() => expect(screen.queryByText(/^We couldn't search/)).toBeNull());
  server.refuses("GET", `m/${MERCHANT}/test/search`, { status: 503, code: "service_unavailable", detail: "Away." });
  await user.clear(field);
  await user.type(field, "other");
  await screen.findByText("Records can't be searched right now. Away.");
  expect(groups()).toEqual(["Look up"]);
});

const may = () => true;
const context = { may, mode: "test" as const, otherMode: "/m/mer_1/live/links" };
const labels = (text: string, given = {}) =>
  pageGroups(text, { ...context, ...given }).flatMap(({ options }) => options.map(({ label }) => label));

test("pages and actions are found by the beginnings of their words, and only what the role may do is offered", () => {
  expect(labels("create a l")).toEqual(["Create a link"]);
  expect(labels("live")).toEqual(["Switch to live"]);
  expect(labels("live", { mode: "live" })).toEqual([]);
  expect(labels("key api")).toEqual(["API keys"]);
  expect(labels("send")).toEqual(["Send money"]);
  expect(labels("send", { may: (permission: string) => permission === "read" })).toEqual([]);
});

test("every section of Developers and Settings is found by the name of its tab", () => {
  const found = (name: string) => pageGroups(name, context).flatMap(({ options }) => options.map(({ to }) => to));
  for (const [path, name] of DEVELOPERS) expect(found(name)).toContain(`developers/${path}`);
  for (const [path, name] of SETTINGS) expect(found(name)).toContain(`settings/${path}`);
});

test.each([
  ["stl_1", ["settlements/stl_1"]],
  ["req_1", ["developers/requests?search=req_1"]],
  ["12", ["developers/deliveries/12", "developers/events/12"]],
  ["ad", []],
  ["a&b", ["events", "deliveries", "requests"].map((list) => `developers/${list}?search=a%26b`)],
])("%s is looked up where the search does not look", (typed, paths) => {
  expect(lookUpGroup(typed).options.map(({ to }) => to)).toEqual(paths);
});
