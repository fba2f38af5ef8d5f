import { screen, waitFor } from "@testing-library/react";
import { Route, Routes, useParams } from "react-router";
import { afterEach, beforeEach, expect, test } from "vitest";
import { aCollection } from "../../test/examples.ts";
import { showPage } from "../../test/page.tsx";
import { MERCHANT, useServer } from "../../test/server.ts";
import { ListPage } from "./list-page.tsx";
import { RecordFrame } from "./record-frame.tsx";

const server = useServer();
const LIST = `GET m/${MERCHANT}/test/collections`;
const narrow = window.matchMedia;

/** The width of the screen in em, as far as media queries ask for it. */
const screenOf = (em: number) =>
  Object.assign(window, {
    matchMedia: (media: string) => ({
      ...narrow(media),
      matches: em >= Number(/min-width: (\d+)em/.exec(media)?.[1] ?? Number.POSITIVE_INFINITY),
    }),
  });
beforeEach(() => {
  screenOf(80);
  server.reads("collections", {
    data: ["col_1", "col_2", "col/3"].map((reference) => aCollection({ reference })),
    next: null,
  });
});
afterEach(() => {
  Object.assign(window, { matchMedia: narrow });
});

function Record({ title }: { title?: string | undefined }) {
  const { reference } = useParams();
  return (
    <RecordFrame title={title ?? `Collection ${reference}`} list={`/m/${MERCHANT}/test/collections`}>
      <input aria-label="Note" />
    </RecordFrame>
  );
}

const pages = (title?: string) => (
  <Routes>
    <Route
      path="collections"
      element={
        <ListPage
          title="Collections"
          path="collections"
          columns={[{ header: "Reference", cell: ({ reference }) => reference }]}
          keyOf={({ reference }) => reference}
          linkOf={({ reference }) => reference}
          empty={null}
        />
      }
    >
      <Route path=":reference" element={<Record title={title} />} />
    </Route>
  </Routes>
);
const show = (at: string, title?: string) => showPage(pages(title), { at, path: "*" });
const heading = (name: string, level: number) => screen.findByRole("heading", { name, level });

test("a record opens beside the list, J and K go on, and Escape returns the focus to its row", async () => {
  const { user, address } = show("collections?search=Ada");
  await user.click(await screen.findByRole("link", { name: "col_1" }));
  await heading("Collection col_1", 2);
  await heading("Collections", 1);
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Collection col_1");
  expect(screen.getByRole("link", { name: "col_1" }).getAttribute("aria-current")).toBe("true");
  await user.keyboard("jj");
  await heading("Collection col/3", 2);
  await user.keyboard("jk");
  await heading("Collection col_2", 2);
  expect(address()).toMatch(/\/collections\/col_2\?search=Ada$/);
  await user.type(screen.getByLabelText("Note"), "jk{Escape}");
  await heading("Collection col_2", 2);
  screen.getByRole("region").focus();
  await user.keyboard("{Escape}");
  await waitFor(() => expect(document.activeElement?.textContent).toBe("col_2"));
  expect(address()).toMatch(/\/collections\?search=Ada$/);
});

test("the next record gets the focus, also where all have one title", async () => {
  const { user, address } = show("collections", "Payer");
  await user.click(await screen.findByRole("link", { name: "col_1" }));
  await user.click(await screen.findByRole("button", { name: "Next (J)" }));
  await waitFor(() => expect(address()).toMatch(/\/collections\/col_2$/));
  expect(document.activeElement).toBe(screen.getByRole("region", { name: "Payer" }));
});

test("a record's address is a page of its own, which reads no list", async () => {
  show("collections/col_2");
  await heading("Collection col_2", 1);
  expect(screen.queryByRole("heading", { name: "Collections" })).toBeNull();
  expect(server.fieldsOf(LIST)).toEqual([]);
});

test("beside the list it can be opened as a page", async () => {
  const { user, address } = show("collections");
  await user.click(await screen.findByRole("link", { name: "col_1" }));
  await user.click(await screen.findByRole("link", { name: "Open as a page" }));
  await heading("Collection col_1", 1);
  expect(address()).toMatch(/\/collections\/col_1$/);
});

test("without room for both it is shown instead of the list, and Close returns to the row", async () => {
  screenOf(48);
  const { user } = show("collections");
  await user.click(await screen.findByRole("link", { name: "col_1" }));
  await heading("Collection col_1", 1);
  expect(screen.queryByRole("table")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Next (J)" }));
  await heading("Collection col_2", 1);
  await user.click(screen.getByRole("button", { name: "Close" }));
  await waitFor(() => expect(document.activeElement?.textContent).toBe("col_2"));
});
