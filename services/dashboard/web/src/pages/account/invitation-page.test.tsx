import { screen } from "@testing-library/react";
import { Route, Routes } from "react-router";
import { expect, test } from "vitest";
import { ME, showAt } from "../../../test/page.tsx";
import { useServer } from "../../../test/server.ts";
import { queryClient } from "../../api/query-client.ts";
import { InvitationPage } from "./invitation-page.tsx";

const server = useServer();
const TOKEN = "a".repeat(43);

function open(me: typeof ME | null) {
  queryClient.clear();
  server.personReads("me", me);
  return showAt(
    `/invitation/${TOKEN}`,
    <Routes>
      <Route path="/invitation/:token" element={<InvitationPage />} />
    </Routes>,
  );
}
const offered = () =>
  server.personActs("invitations/show", { business: "Ada Stores", inviter: "Emeka Obi", role: "finance" });

test("an invitation names business, inviter and role, before one signs in and after", async () => {
  offered();
  const signedOut = open(null);
  await screen.findByRole("heading", { name: "Join Ada Stores" });
  expect(document.body.textContent).toContain("Emeka Obi invites you to the team of Ada Stores on Collect.");
  expect(document.body.textContent).toContain("Your role: Finance. Sends money");
  screen.getByRole("link", { name: "Sign in" });
  signedOut.unmount();
  open(ME);
  await screen.findByRole("button", { name: "Join the team" });
  expect(document.body.textContent).toContain("Emeka Obi invites you to the team of Ada Stores on Collect.");
});

test("one that no longer works says so, and offers nothing to join", async () => {
  server.refuses("POST", "invitations/show", { status: 404, code: "not_found" });
  open(ME);
  await screen.findByRole("heading", { name: "This invitation no longer works" });
  expect(screen.queryByRole("button", { name: "Join the team" })).toBeNull();
});

test("one for another address stays, with the reason and a way to change the account", async () => {
  offered();
  server.refuses("POST", "invitations/accept", {
    status: 409,
    code: "conflict",
    detail: "This invitation is for another email address.",
  });
  const { user } = open(ME);
  await user.click(await screen.findByRole("button", { name: "Join the team" }));
  await screen.findByText("This invitation is for another email address.");
  screen.getByRole("button", { name: "Sign in with another account" });
});
