import { Route, Routes } from "react-router";
import DayPage from "../src/operators/pages/day-page.tsx";
import { showAt } from "./page.tsx";

/** The operators' page of 20 November 2026. */
export const showDay = () =>
  showAt(
    "/days/2026-11-20",
    <Routes>
      <Route path="/days/:day" element={<DayPage />} />
    </Routes>,
  );
