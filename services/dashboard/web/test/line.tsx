import { Route, Routes } from "react-router";
import { beforeEach } from "vitest";
import type { Read } from "../src/operators/api.ts";
import { makeKey } from "../src/operators/browser-key.ts";
import LinePage from "../src/operators/pages/line-page.tsx";
import { keepInMemory } from "./browser-database.ts";
import { showAt } from "./page.tsx";
import type { useServer } from "./server.ts";

type Line = Read<"lines/:line">;
const LINE: Line = {
  ...{ account: "1234567890", bank: "058", booked_on: "2026-11-20", amount: "99000", session_id: null },
  ...{ references: [], narration: "FROM CHIDI", is_matched: false, paid_at: "2026-11-20T09:00:00.000+00:00" },
};

/** The page of line 17, to an operator whose browser has a key. `shows` says what is read of it from now on. */
export function useLine(server: ReturnType<typeof useServer>, given: Partial<Line> = {}) {
  const line = { ...LINE, ...given };
  const shows = (changed: Partial<Line> = {}) => server.answers("GET", "lines/17", () => ({ ...line, ...changed }));
  beforeEach(async () => {
    keepInMemory();
    await makeKey();
    shows();
    server.answers("GET", "merchants/mer_1", () => ({ merchant_id: "mer_1", name: "Ada Stores" }));
  });
  const show = () =>
    showAt(
      "/lines/17",
      <Routes>
        <Route path="/lines/:line" element={<LinePage />} />
      </Routes>,
    );
  return { line, shows, show };
}
