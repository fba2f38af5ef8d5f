import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { showPage } from "../../test/page.tsx";
import { MERCHANT, useServer } from "../../test/server.ts";
import { useAct } from "./hooks.ts";
import { messageOf } from "./problem.ts";

const server = useServer();
const CANCEL = `POST m/${MERCHANT}/test/replay/cancel`;

function Sensitive() {
  const stop = useAct("replay/cancel");
  return (
    <>
      <button type="button" onClick={() => stop.mutate({})}>
        Stop it
      </button>
      {stop.isSuccess && <p>Stopped</p>}
      {stop.error && <p>{messageOf(stop.error)}</p>}
    </>
  );
}

/** The server requires reauthentication until it has succeeded. */
function requireReauthentication() {
  let isConfirmed = false;
  server.answers("POST", `m/${MERCHANT}/test/replay/cancel`, (_call, response) => {
    if (isConfirmed) return { replay: null };
    response.statusCode = 403;
    return { code: "reauthentication_required", detail: "Confirm that it's you, then try again." };
  });
  server.personActs("reauthenticate", () => {
    isConfirmed = true;
    return { recently_authenticated_until: "2026-11-21T10:10:00.000+00:00" };
  });
}

test("a sensitive action asks for the password and then runs, without a second click", async () => {
  requireReauthentication();
  const { user } = showPage(<Sensitive />);
  await user.click(screen.getByRole("button", { name: "Stop it" }));
  await user.type(await screen.findByLabelText(/^Password/), "three plain words{Enter}");
  await screen.findByText("Stopped");
  expect(server.fieldsOf("POST reauthenticate")).toEqual([{ password: "three plain words" }]);
  expect(server.fieldsOf(CANCEL)).toHaveLength(2);
});

test("a user with two-factor authentication is asked for a code, not the password", async () => {
  requireReauthentication();
  const { user } = showPage(<Sensitive />, { user: { two_factor_enabled: true } });
  await user.click(screen.getByRole("button", { name: "Stop it" }));
  await user.type(await screen.findByLabelText(/^Authenticator code/), "123456{Enter}");
  await screen.findByText("Stopped");
  expect(server.fieldsOf("POST reauthenticate")).toEqual([{ code: "123456" }]);
});

test("a wrong password is reported in the dialog, which stays open, and nothing is changed", async () => {
  requireReauthentication();
  server.refuses("POST", "reauthenticate", {
    status: 422,
    code: "validation_failed",
    detail: "Incorrect password.",
  });
  const { user } = showPage(<Sensitive />);
  await user.click(screen.getByRole("button", { name: "Stop it" }));
  await user.type(await screen.findByLabelText(/^Password/), "wrong{Enter}");
  await screen.findByText("Incorrect password.");
  expect(screen.getByLabelText(/^Password/)).toBeTruthy();
  expect(server.fieldsOf(CANCEL)).toHaveLength(1);
});

test("closing the dialog changes nothing and says so", async () => {
  requireReauthentication();
  const { user } = showPage(<Sensitive />);
  await user.click(screen.getByRole("button", { name: "Stop it" }));
  await screen.findByLabelText(/^Password/);
  await user.keyboard("{Escape}");
  await screen.findByText("Nothing was changed because you didn't confirm.");
  await waitFor(() => expect(screen.queryByLabelText(/^Password/)).toBeNull());
  expect(server.fieldsOf(CANCEL)).toHaveLength(1);
});

test("where a second factor is asked for it is given in the dialog; a user without one reads what to do", async () => {
  const detail = "This needs a second factor: set up an authenticator app or a passkey on the Security page first.";
  server.refuses("POST", `m/${MERCHANT}/test/replay/cancel`, { status: 403, code: "second_factor_required", detail });
  const without = showPage(<Sensitive />);
  await without.user.click(screen.getByRole("button", { name: "Stop it" }));
  await screen.findByText(detail);
  without.unmount();
  let isGiven = false;
  server.answers("POST", `m/${MERCHANT}/test/replay/cancel`, (_call, response) => {
    if (isGiven) return { replay: null };
    response.statusCode = 403;
    return { code: "second_factor_required", detail: "Confirm with your second factor first." };
  });
  server.personActs("reauthenticate", () => {
    isGiven = true;
    return { recently_authenticated_until: "2026-11-21T10:10:00.000+00:00" };
  });
  const { user } = showPage(<Sensitive />, { user: { two_factor_enabled: true } });
  await user.click(screen.getByRole("button", { name: "Stop it" }));
  await user.type(await screen.findByLabelText(/^Authenticator code/), "123456{Enter}");
  await screen.findByText("Stopped");
});

test("any other refusal is shown as is, without reauthentication", async () => {
  server.refuses("POST", `m/${MERCHANT}/test/replay/cancel`, {
    status: 409,
    code: "conflict",
    detail: "No replay runs.",
  });
  const { user } = showPage(<Sensitive />);
  await user.click(screen.getByRole("button", { name: "Stop it" }));
  await screen.findByText("No replay runs.");
  expect(screen.queryByLabelText(/^Password/)).toBeNull();
});
