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
    ]}
    keyOf={({ reference }) => reference}
    linkOf={({ reference }) => reference}
    filters={[
      { kind: "search", label: "Find", placeholder: "Reference" },
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

test("filters in the URL narrow the list and its CSV alike", async () => {
  server.reads("collections", rows("col_1"));
  show("?search=Ada%20%26%20co&customer_reference=cust_42");
  await screen.findByText("col_1");
  expect(server.fieldsOf(LIST)).toEqual([{ search: "Ada & co", customer_reference: "cust_42" }]);
  expect(screen.getByRole("link", { name: "CSV" }).getAttribute("href")).toBe(
    `/api/m/${MERCHANT}/test/collections.csv?search=Ada+%26+co&customer_reference=cust_42`,
  );
});

test("the CSV is offered to those who may take the list with them", async () => {
  server.reads("collections", rows("col_1"));
  showPage(page, { at: "collections", path: "collections/*", scope: { role: "developer" } });
  await screen.findByText("col_1");
  expect(screen.queryByRole("link", { name: "CSV" })).toBeNull();
});

test("a search goes into the URL, so that it can be shared, and returns to the first page", async () => {
  server.reads("collections", rows("col_1"));
  const { user, address } = show("?after=abc");
  await user.type(await screen.findByLabelText("Find"), " Ada {Enter}");
  await waitFor(() => expect(server.fieldsOf(LIST).at(-1)).toEqual({ search: "Ada" }));
  expect(address()).toMatch(/collections\?search=Ada$/);
});

test("a filter that came with a link can be removed", async () => {
  server.reads("collections", rows("col_1"));
  const { user, address } = show("?customer_reference=cust_42");
  await user.click(await screen.findByRole("button", { name: "Customer cust_42: show all" }));
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
  expect(screen.queryByRole("link", { name: "CSV" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Clear filters" }));
  await screen.findByText("No collections yet");
  expect(screen.queryByLabelText("Find")).toBeNull();
});

test("a list that cannot be read says why and is read again on a click", async () => {
  server.refuses("GET", `m/${MERCHANT}/test/collections`, {
    status: 403,
    code: "role_required",
    detail: "Only a member may do that.",
    request_id: "req_77",
  });
  const { user } = show();
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("Only a member may do that.");
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

test("arrow keys move between rows, Enter opens the record and keeps the filters", async () => {
  server.reads("collections", rows("col_1", "col/2"));
  const { user, address } = show("?search=Ada");
  (await screen.findByRole("link", { name: "col_1" })).focus();
  await user.keyboard("{ArrowDown}");
  expect(document.activeElement?.textContent).toBe("col/2");
  await user.keyboard("{ArrowDown}{ArrowUp}{ArrowDown}{Enter}");
  expect(address()).toMatch(/\/collections\/col%2F2\?search=Ada$/);
});
