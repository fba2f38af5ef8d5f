import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { aSession } from "../../test/examples.ts";
import { showPage } from "../../test/page.tsx";
import { useServer } from "../../test/server.ts";
import { SessionPanel } from "../pages/sessions/session-panel.tsx";

const server = useServer();

test.each([
  [{ order: "17", note: "<b>two</b>" }, ["order: 17", "note: <b>two</b>"]],
  [{}, []],
])("a record shows its metadata %j as text, and nothing without any", async (metadata, shown) => {
  server.reads("sessions/:reference", aSession({ metadata }));
  showPage(<SessionPanel />, { at: "sessions/pay_1", path: "sessions/:reference" });
  await screen.findByText("Requested amount");
  const row = screen.queryByRole("rowheader", { name: "Metadata" })?.closest("tr");
  expect([...(row?.querySelectorAll("td > div") ?? [])].map(({ textContent }) => textContent)).toEqual(shown);
});
