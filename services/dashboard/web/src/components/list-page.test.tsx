import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { aCollection } from "../../test/examples.ts";
import { showPage } from "../../test/page.tsx";
import { MERCHANT, useServer } from "../../test/server.ts";
import { queryClient } from "../api/query-client.ts";
import { ListPage } from "./list-page.tsx";

const server = useServer();
const LIST = `GET m/${MERCHANT}/test/collections`;

const page = (
  <ListPage
    title="Collections"
    path="collections"
    columns={[
      { header: "Reference", cell: ({ reference }) => reference },
      { header: "Payer", cell: ({ payer }) => payer.name },
      { header: "Fee", cell: ({ fee }) => fee, isExtra: true },
    ]}
    select={{ acts: (selected) => <p>acts on {selected.map(({ reference }) => reference).join(" and ")}</p> }}
    keyOf={({ reference }) => reference}
    linkOf={({ reference }) => reference}
    filters={[
      { kind: "search", label: "Search", placeholder: "Reference" },
      { kind: "amount", label: "Amount" },
      { kind: "span", label: "Paid" },
      { kind: "given", name: "customer_reference", label: "Customer" },
    ]}
    empty={<p>No collections yet</p>}
  />
);
const show = (search = "") => showPage(page, { at: `collections${search}`, path: "collections/*" });
const rows = (...references: string[]) => ({
  data: references.map((reference) => aCollection({ reference })),
  next: null,
});

const hrefOf = async (name: string) => (await screen.findByRole("menuitem", { name })).getAttribute("href");

test("filters in the URL narrow the list and what is exported alike", async () => {
  server.reads("collections", rows("col_1"));
  const { user } = show("?search=Ada%20%26%20co&customer_reference=cust_42&after=two");
  await screen.findByText("col_1");
  expect(server.fieldsOf(LIST)).toEqual([{ search: "Ada & co", customer_reference: "cust_42", after: "two" }]);
  await user.click(screen.getByRole("button", { name: "Export" }));
  for (const [name, ending] of [
    ["CSV", "csv"],
    ["Excel (XLSX)", "xlsx"],
  ] as const)
    expect(await hrefOf(name)).toBe(
      `/api/m/${MERCHANT}/test/collections.${ending}?search=Ada+%26+co&customer_reference=cust_42`,
    );
});

test("selected rows are exported and acted on; another page begins with none", async () => {
  server.reads("collections", { ...rows("col_1", "col_2", "col_3"), next: "two" });
  const { user } = show();
  await user.click(await screen.findByLabelText("Select col_1"));
  await user.click(screen.getByLabelText("Select col_3"));
  await screen.findByText("2 selected");
  screen.getByText("acts on col_1 and col_3");
  await user.click(screen.getByRole("button", { name: "Export 2" }));
  expect(await hrefOf("CSV")).toBe(`/api/m/${MERCHANT}/test/collections.csv?references=col_1%2Ccol_3`);
  await user.click(screen.getByLabelText("Select all rows on this page"));
  await screen.findByText("3 selected");
  server.reads("collections", rows("col_4"));
  await user.click(screen.getByRole("button", { name: "Older" }));
  await screen.findByText("col_4");
  expect(screen.queryByText(/ selected$/)).toBeNull();
});

test("a selected row that newer ones push off the page is still counted, exported and acted on", async () => {
  server.reads("collections", rows("col_1", "col_2"));
  const { user } = show();
  await user.click(await screen.findByLabelText("Select col_2"));
  server.reads("collections", rows("col_3", "col_1"));
  await queryClient.invalidateQueries();
  await screen.findByText("col_3");
  screen.getByText("acts on col_2");
  await user.click(screen.getByRole("button", { name: "Export 1" }));
  expect(await hrefOf("CSV")).toBe(`/api/m/${MERCHANT}/test/collections.csv?references=col_2`);
});

test("columns that were chosen stay chosen on this device, for this person", async () => {
  server.reads("collections", rows("col_1"));
  const { user, unmount } = show();
  await screen.findByText("col_1");
  expect(screen.queryByRole("columnheader", { name: "Fee" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Columns" }));
  await user.click(await screen.findByLabelText("Fee"));
  await screen.findByRole("columnheader", { name: "Fee" });
  unmount();
  show();
  await screen.findByRole("columnheader", { name: "Fee" });
  localStorage.clear();
});

test("an amount from and to goes into the URL, and a reversed one does not", async () => {
  server.reads("collections", rows("col_1"));
  const { user, address } = show();
  const chip = await screen.findByRole("button", { name: "Amount" });
  await user.click(chip);
  await user.type(await screen.findByLabelText("From"), "2,500.09");
  await user.type(screen.getByLabelText("To"), "100");
  await user.click(screen.getByRole("button", { name: "Apply" }));
  screen.getByText("Less than the first amount");
  await user.type(screen.getByLabelText("To"), "00");
  await user.click(screen.getByRole("button", { name: "Apply" }));
  await waitFor(() => expect(address()).toMatch(/\?amount_from=2500.09&amount_to=10000$/));
  const clear = (await screen.findAllByRole("button", { name: "Amount ₦2,500.09 – ₦10,000.00: show all" }))[0];
  if (clear) await user.click(clear);
  await waitFor(() => expect(address()).toMatch(/collections$/));
});

test("on a phone, the amounts that were typed count when the results are shown", async () => {
  server.reads("collections", rows("col_1"));
  const { user, address } = show();
  await user.click(await screen.findByRole("button", { name: "Filters" }));
  const sheet = within(await screen.findByRole("dialog", { name: "Filters" }));
  await user.type(sheet.getByLabelText("From"), "2,500");
  await user.click(sheet.getByRole("button", { name: "Show results" }));
  await waitFor(() => expect(address()).toMatch(/\?amount_from=2500$/));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("a list that misses some of what its search finds says so", async () => {
  server.reads("collections", { ...rows("col_1"), is_partial: true });
  show("?search=a");
  await screen.findByText("Too many matches: some aren't shown. Type more to narrow the search.");
});

test("an export is offered to those who may take the list with them", async () => {
  server.reads("collections", rows("col_1"));
  showPage(page, { at: "collections", path: "collections/*", scope: { role: "developer" } });
  await screen.findByText("col_1");
  expect(screen.queryByRole("button", { name: "Export" })).toBeNull();
});

test("a search goes into the URL, so that it can be shared, and returns to the first page", async () => {
  server.reads("collections", rows("col_1"));
  const { user, address } = show("?after=abc");
  await user.type(await screen.findByLabelText("Search"), " Ada {Enter}");
  await waitFor(() => expect(server.fieldsOf(LIST).at(-1)).toEqual({ search: "Ada" }));
  expect(address()).toMatch(/collections\?search=Ada$/);
});

test("a filter that came with a link can be removed", async () => {
  server.reads("collections", rows("col_1"));
  const { user, address } = show("?customer_reference=cust_42");
  const [chip] = await screen.findAllByRole("button", { name: "Customer cust_42: show all" });
  if (chip) await user.click(chip);
  await waitFor(() => expect(server.fieldsOf(LIST).at(-1)).toEqual({}));
  expect(address()).toMatch(/collections$/);
});

test("older pages follow the cursor, and newer ones go back the same way", async () => {
  server.reads("collections", ({ fields: { after } }) => {
    if (after === "two") return { ...rows("col_2"), next: "three" };
    if (after === "three") return rows("col_3");
    return { ...rows("col_1"), next: "two" };
  });
  const { user, address } = show("?search=Ada");
  const press = (name: string) => user.click(screen.getByRole("button", { name }));
  const isPressable = (name: string) => !screen.getByRole<HTMLButtonElement>("button", { name }).disabled;
  await screen.findByText("col_1");
  expect(["Newest", "Newer", "Older"].map(isPressable)).toEqual([false, false, true]);
  await press("Older");
  await screen.findByText("col_2");
  await press("Older");
  await screen.findByText("col_3");
  expect([address().split("?")[1], ...["Newer", "Older"].map(isPressable)]).toEqual([
    "search=Ada&after=three",
    true,
    false,
  ]);
  await press("Newer");
  await screen.findByText("col_2");
  await press("Newer");
  await screen.findByText("col_1");
  expect(address()).toMatch(/\?search=Ada$/);
});

test("an empty list explains what will appear here, a filtered one does not", async () => {
  server.reads("collections", rows());
  const { user } = show("?search=nobody");
  await screen.findByText("No results match these filters.");
  expect(screen.queryByRole("button", { name: "Export" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Clear filters" }));
  await screen.findByText("No collections yet");
  expect(screen.queryByLabelText("Search")).toBeNull();
});

test("a list that cannot be read says why and is read again on a click", async () => {
  server.refuses("GET", `m/${MERCHANT}/test/collections`, {
    status: 403,
    code: "role_required",
    detail: "Only a member can do that.",
    request_id: "req_77",
  });
  const { user } = show();
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("Only a member can do that.");
  expect(alert.textContent).toContain("req_77");
  server.reads("collections", rows("col_1"));
  await user.click(within(alert).getByRole("button", { name: "Try again" }));
  await screen.findByText("col_1");
  expect(screen.queryByRole("alert")).toBeNull();
});

test("rows stay when a refresh fails, and are marked as out of date", async () => {
  server.reads("collections", rows("col_1"));
  show();
  await screen.findByText("col_1");
  server.refuses("GET", `m/${MERCHANT}/test/collections`, { status: 400, code: "validation_failed" });
  await queryClient.invalidateQueries();
  expect((await screen.findByRole("alert")).textContent).toContain("This data may be out of date");
  expect(screen.getByText("col_1")).toBeTruthy();
});

test("a collection that arrives while the page is open is highlighted; earlier rows are not", async () => {
  server.reads("collections", rows("col_1"));
  show();
  await screen.findByText("col_1");
  server.reads("collections", rows("col_2", "col_1"));
  await queryClient.invalidateQueries();
  const rowOf = async (text: string) => (await screen.findByText(text)).closest("tr")?.className;
  expect(await rowOf("col_2")).toContain("arrived");
  expect(await rowOf("col_1")).not.toContain("arrived");
});

test("J and K move between rows as the arrows do, but not while something is typed", async () => {
  server.reads("collections", rows("col_1", "col_2"));
  const { user, address } = show();
  await screen.findByText("col_1");
  await user.keyboard("jjk");
  expect(document.activeElement?.textContent).toBe("col_1");
  await user.type(screen.getByLabelText("Search"), "jjk{Enter}");
  await waitFor(() => expect(address()).toMatch(/search=jjk$/));
});

test("arrow keys move between rows, Enter opens the record and keeps the filters", async () => {
  server.reads("collections", rows("col_1", "col/2"));
  const { user, address } = show("?search=Ada");
  (await screen.findByRole("link", { name: "col_1" })).focus();
  await user.keyboard("{ArrowDown}");
  expect(document.activeElement?.textContent).toBe("col/2");
  await user.keyboard("{ArrowDown}{ArrowUp}{ArrowDown}{Enter}");
  expect(address()).toMatch(/\/collections\/col%2F2\?search=Ada$/);
});
