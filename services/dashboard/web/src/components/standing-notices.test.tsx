import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { aVerification } from "../../test/examples.ts";
import { showPage } from "../../test/page.tsx";
import { MERCHANT, useServer } from "../../test/server.ts";
import { StandingNotices } from "./standing-notices.tsx";

const server = useServer();
const since = "2026-11-20T10:00:00.000+00:00";
const suspension = { reason: "Chargebacks under review", since };

test("a suspended business sees why, in both modes, and how many of its payouts wait", async () => {
  server.reads("verification", aVerification({ suspension }), "live");
  server.reads("payouts", { stopped_since: null, held: 2, awaiting_approval: 0 }, "live");
  showPage(<StandingNotices />, { scope: { mode: "live" } });
  const notice = await screen.findByRole("region", {
    name: "This business is suspended: Chargebacks under review",
  });
  await waitFor(() => expect(notice.textContent).toContain("2 transfers are on hold"));
  expect(notice.textContent).toContain("Since 20 Nov 2026, 11:00:00 WAT.");
  expect(notice.textContent).toContain("Money that arrives is still credited");
  expect(screen.queryByRole("region", { name: "Transfers are stopped" })).toBeNull();
});

test("the test mode of a suspended business says so, and asks for no payouts", async () => {
  server.reads("verification", aVerification({ suspension }));
  showPage(<StandingNotices />);
  await screen.findByRole("region", { name: /^This business is suspended/ });
  expect(server.fieldsOf(`GET m/${MERCHANT}/test/payouts`)).toEqual([]);
});

test("stopped payouts are announced to every business", async () => {
  server.reads("verification", aVerification(), "live");
  server.reads("payouts", { stopped_since: since, held: 1, awaiting_approval: 0 }, "live");
  showPage(<StandingNotices />, { scope: { mode: "live" } });
  const notice = await screen.findByRole("region", { name: "Transfers are stopped" });
  expect(notice.textContent).toContain("For all businesses, since 20 Nov 2026, 11:00:00 WAT.");
  expect(notice.textContent).toContain("1 transfer is on hold and will be sent then.");
});

test("a business that nothing stops sees no notice", async () => {
  server.reads("verification", aVerification(), "live");
  server.reads("payouts", { stopped_since: null, held: 0, awaiting_approval: 0 }, "live");
  showPage(<StandingNotices />, { scope: { mode: "live" } });
  await waitFor(() => expect(server.fieldsOf(`GET m/${MERCHANT}/live/payouts`)).toHaveLength(1));
  expect(screen.queryByRole("region")).toBeNull();
});
