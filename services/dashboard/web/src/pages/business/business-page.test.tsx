import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import { showPage } from "../../../test/page.tsx";
import { MERCHANT, useServer } from "../../../test/server.ts";
import type { ReadResponse } from "../../api/calls.ts";
import { BusinessPage } from "./business-page.tsx";

const server = useServer();
const SAVE = `POST m/${MERCHANT}/test/business-profile`;

type Profile = ReadResponse<"business-profile">;
const NOTHING: Profile = { color: null, logo: null, support_email: null, support_phone: null, logo_image: null };
const STORED: Profile = {
  color: "#0a7d5b",
  logo: `/logos/${"0".repeat(64)}`,
  support_email: "help@ada.example",
  support_phone: null,
  logo_image: { type: "image/png", data: "c3RvcmVk" },
};

function stored(profile: Profile) {
  server.reads("business-profile", profile);
  server.reads("checkout-settings", { return_hosts: ["shop.example"], public_descriptions: true });
  server.acts("business-profile", profile);
}
const aFile = (bytes: number, type: string) => new File([new Uint8Array(bytes)], "logo", { type });
const chooser = (container: HTMLElement) => {
  const input = container.querySelector<HTMLInputElement>("input[type=file]");
  if (!input) throw new Error("no file can be chosen");
  return input;
};

test("what is typed is shown as payers will see it, before it is saved", async () => {
  stored(NOTHING);
  const { user } = showPage(<BusinessPage />);
  await user.type(await screen.findByLabelText("Support email"), "help@ada.example");
  await user.type(screen.getByLabelText("Support phone"), "0801 234 5678");
  await user.type(screen.getByLabelText("Color"), "#c62828");
  await screen.findByText("Questions? Ask Ada Stores: help@ada.example · 0801 234 5678");
  expect(screen.getByText("I've sent the money").style.background).toMatch(/#c62828|rgb\(198, 40, 40\)/);
  expect(server.fieldsOf(SAVE)).toEqual([]);
  await user.click(screen.getAllByRole("button", { name: "Save" })[0] ?? document.body);
  await waitFor(() =>
    expect(server.fieldsOf(SAVE)).toEqual([
      { color: "#c62828", support_email: "help@ada.example", support_phone: "0801 234 5678" },
    ]),
  );
});

test("a color that is none changes nothing in the preview, and the server's refusal is shown beside it", async () => {
  stored(NOTHING);
  server.refuses("POST", `m/${MERCHANT}/test/business-profile`, {
    status: 400,
    code: "validation_failed",
    errors: [{ param: "color", code: "invalid", message: "must be a color such as #0a7d5b" }],
  });
  const { user } = showPage(<BusinessPage />);
  await user.type(await screen.findByLabelText("Color"), "url(https://thief.example)");
  expect(screen.getByTestId("preview").innerHTML).not.toContain("thief");
  await user.click(screen.getAllByRole("button", { name: "Save" })[0] ?? document.body);
  await screen.findByText("Must be a color such as #0a7d5b.");
});

test("a chosen logo is previewed and sent; an unchanged one is not sent again, and a removed one as null", async () => {
  stored(STORED);
  const { user, container } = showPage(<BusinessPage />);
  const logo = await screen.findByAltText("Your logo");
  expect(logo.getAttribute("src")).toBe("data:image/png;base64,c3RvcmVk");
  const save = async () => {
    const [button = document.body] = screen.getAllByRole("button", { name: "Save" });
    await user.click(button);
    await waitFor(() => expect(button.dataset.loading).toBeUndefined());
  };
  await save();
  await user.upload(chooser(container), aFile(3, "image/webp"));
  await waitFor(() => expect(logo.getAttribute("src")).toBe("data:image/webp;base64,AAAA"));
  await save();
  await user.click(screen.getByRole("button", { name: "Remove" }));
  expect(screen.queryByAltText("Your logo")).toBeNull();
  await save();
  const fields = { color: "#0a7d5b", support_email: "help@ada.example", support_phone: null };
  await waitFor(() =>
    expect(server.fieldsOf(SAVE)).toEqual([fields, { ...fields, logo: "AAAA" }, { ...fields, logo: null }]),
  );
});

test.each([
  ["image/svg+xml", 10, "The logo must be a PNG, JPEG or WebP image."],
  ["image/png", 70_000, "The logo must be at most 64 kB; this file is 69 kB."],
])("a file of %s with %d bytes is refused with the reason, and the logo stays", async (type, bytes, reason) => {
  stored(STORED);
  const { container } = showPage(<BusinessPage />);
  const logo = await screen.findByAltText("Your logo");
  await userEvent.setup({ applyAccept: false }).upload(chooser(container), aFile(bytes, type));
  await screen.findByText(reason);
  expect(logo.getAttribute("src")).toBe("data:image/png;base64,c3RvcmVk");
});

test("roles without keys see the profile and can change nothing", async () => {
  stored(STORED);
  const { container } = showPage(<BusinessPage />, { scope: { role: "finance" } });
  await screen.findByAltText("Your logo");
  await screen.findByText("Only an owner or a developer can change this.");
  expect((await screen.findByLabelText<HTMLInputElement>("Color")).disabled).toBe(true);
  expect(container.querySelector("input[type=file]")).toBeNull();
  expect(screen.queryByRole("button", { name: "Save" })).toBeNull();
});
