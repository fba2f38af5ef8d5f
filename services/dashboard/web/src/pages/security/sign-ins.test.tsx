import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { showPage } from "../../../test/page.tsx";
import { useServer } from "../../../test/server.ts";
import { SignIns } from "./sign-ins.tsx";

const server = useServer();

test("the latest sign-ins are listed with their address, failed ones too, and the rest on request", async () => {
  const at = (minute: number) => `2026-11-21T10:${String(minute).padStart(2, "0")}:00.000+00:00`;
  server.personReads(
    "sign-ins",
    Array.from({ length: 12 }, (_, n) => ({
      at: at(59 - n),
      is_successful: n !== 1,
      address: n === 2 ? null : `102.89.0.${n}`,
      is_new_device: n === 1,
    })),
  );
  const { user } = showPage(<SignIns />);
  await screen.findByText("Failed attempt");
  expect(screen.getByText(/from 102\.89\.0\.1$/)).toBeTruthy();
  expect(screen.getAllByText("New browser")).toHaveLength(1);
  expect(screen.getAllByRole("listitem")).toHaveLength(8);
  await user.click(screen.getByRole("button", { name: "Show all 12" }));
  expect(screen.getAllByRole("listitem")).toHaveLength(12);
});
