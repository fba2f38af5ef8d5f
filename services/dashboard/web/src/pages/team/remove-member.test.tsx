import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { ME, showPage } from "../../../test/page.tsx";
import { MERCHANT, useServer } from "../../../test/server.ts";
import { TeamPage } from "./team-page.tsx";

const server = useServer();
const member = (user_id: string, name: string, role: "owner" | "viewer") => ({
  user_id,
  name,
  email: `${user_id}@example.com`,
  role,
  two_factor_enabled: false,
  joined_at: "2026-11-01T10:00:00.000+00:00",
});
const EXPIRES = { expires_at: "2026-11-28T10:00:00.000+00:00" };
const team = () =>
  server.reads("members", {
    members: [member(ME.user.id, "Ada Obi", "owner"), member("usr_2", "Emeka Obi", "viewer")],
    invitations: [],
  });

test("a member is removed only after their own name is typed", async () => {
  team();
  server.acts("members/:user_id/remove", { user_id: "usr_2", role: null });
  const { user } = showPage(<TeamPage />);
  await user.click(await screen.findByRole("button", { name: "Remove Emeka Obi" }));
  const remove = await screen.findByRole<HTMLButtonElement>("button", { name: "Remove from the team" });
  await user.type(screen.getByLabelText("Type “Emeka Obi” to confirm"), "Ada Obi");
  expect(remove.disabled).toBe(true);
  await user.clear(screen.getByLabelText("Type “Emeka Obi” to confirm"));
  await user.type(screen.getByLabelText("Type “Emeka Obi” to confirm"), "Emeka Obi");
  await user.click(remove);
  await waitFor(() => expect(server.fieldsOf(`POST m/${MERCHANT}/test/members/usr_2/remove`)).toHaveLength(1));
});

test("a click beside the dialog keeps what was typed, and Cancel returns the focus to its button", async () => {
  team();
  const { user } = showPage(<TeamPage />);
  await user.click(await screen.findByRole("button", { name: "Remove Emeka Obi" }));
  await user.type(await screen.findByLabelText("Type “Emeka Obi” to confirm"), "Emeka");
  const beside = document.querySelector(".mantine-Modal-overlay");
  if (!beside) throw new Error("there is nothing beside the dialog");
  await user.click(beside);
  expect(screen.getByLabelText<HTMLInputElement>("Type “Emeka Obi” to confirm").value).toBe("Emeka");
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  const button = screen.getByRole("button", { name: "Remove Emeka Obi" });
  await waitFor(() => expect(document.activeElement).toBe(button));
});

test("the focus of an invitation that is revoked goes to the heading, and to the content when the last one leaves", async () => {
  const invitation = (id: string) => ({ id, email: `${id}@example.com`, role: "viewer" as const, ...EXPIRES });
  const invites = (...ids: string[]) =>
    server.reads("members", { members: [], invitations: ids.map((id) => invitation(id)) });
  server.acts("invitations/:id/revoke", { id: "one" });
  invites("one", "two");
  const { user } = showPage(
    <main tabIndex={-1}>
      <TeamPage />
    </main>,
  );
  const revoke = async (id: string) => {
    await user.click(await screen.findByRole("button", { name: `Revoke the invitation for ${id}@example.com` }));
    await waitFor(() => expect(screen.queryByText(`${id}@example.com`)).toBeNull());
  };
  await screen.findByText("two@example.com");
  invites("two");
  await revoke("one");
  expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Invited" }));
  invites();
  await revoke("two");
  expect(document.activeElement).toBe(screen.getByRole("main"));
});

test("a viewer can leave the team and do nothing about other members", async () => {
  team();
  showPage(<TeamPage />, { scope: { role: "viewer" } });
  await screen.findByRole("button", { name: "Leave the team as Ada Obi" });
  expect(screen.queryByRole("button", { name: "Remove Emeka Obi" })).toBeNull();
  expect(screen.queryByRole("button", { name: /Invite/ })).toBeNull();
});

test("an invitation link is shown with its email address, and requested once", async () => {
  team();
  server.acts("members/invite", {
    url: "http://localhost:4200/invitation/abc",
    expires_at: "2026-11-28T10:00:00.000+00:00",
  });
  const { user } = showPage(<TeamPage />);
  await user.click(await screen.findByRole("button", { name: /^Invite/ }));
  await user.type(await screen.findByLabelText("Their email"), "ngozi@example.com");
  await user.click(screen.getByRole("button", { name: "Create invitation" }));
  await screen.findByText("http://localhost:4200/invitation/abc");
  await screen.findByText("ngozi@example.com");
  expect(server.fieldsOf(`POST m/${MERCHANT}/test/members/invite`)).toEqual([
    { email: "ngozi@example.com", role: "developer" },
  ]);
});
