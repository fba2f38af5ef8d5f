import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { ME, showAt } from "../test/page.tsx";
import { MERCHANT, useServer } from "../test/server.ts";
import { queryClient } from "./api/query-client.ts";
import { App } from "./app.tsx";

const server = useServer();

test("a signed-out user signs in first and then returns to the requested page", async () => {
  server.personReads("me", null);
  const { address } = showAt(`/m/${MERCHANT}/test/collections?search=Ada`, <App />);
  await screen.findByRole("heading", { name: "Sign in" });
  expect(address()).toBe(`/sign-in?to=${encodeURIComponent(`/m/${MERCHANT}/test/collections?search=Ada`)}`);
});

test("a user without a business is asked to name one", async () => {
  server.personReads("me", { ...ME, merchants: [] });
  const { address } = showAt("/", <App />);
  await screen.findByRole("heading", { name: "Name your business" });
  expect(address()).toBe("/new-business");
});

test("another merchant's URL shows none of its data and requests none", async () => {
  server.personReads("me", ME);
  showAt("/m/mer_other/test/collections", <App />);
  await screen.findByText(/You don't have access to this page/);
  expect(server.sent.map(({ path }) => path)).toEqual(["me"]);
});

test("an unavailable server is not mistaken for being signed out", async () => {
  server.refuses("GET", "me", { status: 500, code: "internal_error", detail: "Something went wrong on our side." });
  showAt("/", <App />);
  expect((await screen.findByRole("alert")).textContent).toContain("Something went wrong on our side.");
});

test("a user whose session was revoked signs in again, whichever call reports it", async () => {
  server.personReads("me", ME);
  server.refuses("GET", `m/${MERCHANT}/test/members`, {
    status: 401,
    code: "sign_in_required",
    detail: "Sign in first.",
  });
  showAt(`/m/${MERCHANT}/test/settings/team`, <App />);
  await screen.findByRole("heading", { name: "Sign in" });
  expect(queryClient.getQueryData(["me"])).toBeNull();
});
