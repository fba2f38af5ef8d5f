import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { showPage } from "../../test/page.tsx";
import { MERCHANT, useServer } from "../../test/server.ts";
import { TestClock } from "./test-clock.tsx";

const server = useServer();
const AHEAD = { now: "2026-12-24T09:30:00.000+00:00", ahead_by: 31 * 86_400, mode: "test" as const };

test("a test clock that is ahead says how far, what time it is there, and what that means", async () => {
  server.reads("test-clock", AHEAD);
  showPage(<TestClock />, { scope: { role: "viewer" } });
  const notice = await screen.findByRole("region", { name: /Your test clock/ });
  expect(notice.textContent).toContain("Your test clock is 31 days ahead");
  expect(notice.textContent).toContain("Live mode always uses real time.");
  expect(notice.querySelector("time")?.dateTime).toBe(AHEAD.now);
});

test("a clock with real time says nothing, and live mode never asks for one", async () => {
  server.reads("test-clock", { ...AHEAD, ahead_by: 0 });
  server.reads("test-clock", AHEAD, "live");
  const { unmount } = showPage(<TestClock />);
  await waitFor(() => expect(server.fieldsOf(`GET m/${MERCHANT}/test/test-clock`)).toHaveLength(1));
  expect(screen.queryByRole("region")).toBeNull();
  unmount();
  showPage(<TestClock />, { scope: { mode: "live" } });
  expect(screen.queryByRole("region")).toBeNull();
  expect(server.fieldsOf(`GET m/${MERCHANT}/live/test-clock`)).toEqual([]);
});
