import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { showPage } from "../../test/page.tsx";
import { useServer } from "../../test/server.ts";
import { useRead } from "../api/hooks.ts";
import { queryClient } from "../api/query-client.ts";
import { AwayNotice } from "./away-notice.tsx";

const server = useServer();
const AWAY = { status: 503, code: "service_unavailable", detail: "The ledger isn't answering." } as const;
const FIGURES = {
  mode: "test",
  currency: "NGN",
  settled: 7,
  as_of: "2026-11-21T09:30:00.000+00:00",
  ledger_sequence: 1,
} as const;
const BALANCE = "m/mer_1/test/balance";

function Balance() {
  const { data, error } = useRead("balance");
  return (
    <>
      <p>{data?.collected ?? (error ? "unknown" : "loading")}</p>
      <AwayNotice />
    </>
  );
}

function Schedule() {
  useRead("schedule");
  return null;
}

const notice = () => screen.queryByText(/We can't load your balance right now/);
const readAgain = () => void queryClient.invalidateQueries();

test("while a service is away the page says so, keeps what it knows, and is silent again when it is back", async () => {
  server.reads("balance", { ...FIGURES, collected: 5 });
  showPage(<Balance />);
  await screen.findByText("5");
  expect(notice()).toBeNull();
  server.refuses("GET", BALANCE, AWAY);
  readAgain();
  await waitFor(() => expect(notice()).not.toBeNull());
  expect(screen.queryByText("5")).not.toBeNull();
  server.reads("balance", { ...FIGURES, collected: 6 });
  readAgain();
  await screen.findByText("6");
  await waitFor(() => expect(notice()).toBeNull());
});

test("a read that isn't answered is reported within 3 seconds", async () => {
  server.answers("GET", BALANCE, () => new Promise(() => {}));
  showPage(<Balance />);
  await waitFor(() => expect(notice()).not.toBeNull(), { timeout: 3_000 });
});

test("a refusal is an answer: only what isn't answered is away", async () => {
  server.refuses("GET", BALANCE, { status: 403, code: "forbidden", detail: "Not with your role." });
  server.refuses("GET", "m/mer_1/test/schedule", AWAY);
  showPage(
    <>
      <Balance />
      <Schedule />
    </>,
  );
  await screen.findByText("unknown");
  await screen.findByText(/We can't load settlements right now/);
});
