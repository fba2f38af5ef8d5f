import { CALL_WINDOW_S, signCall } from "@collect/bank";
import { expect, test } from "vitest";
import { apiSecret, simulator } from "../simulator.ts";

const body = { request_id: "req_1", account_name: "Chidi Okafor" };
const raw = JSON.stringify(body);
const signedAt = (now: Date, target = "/accounts", method = "POST") =>
  signCall({ method, target, body: raw }, apiSecret, now);
const refused = { status: 401, body: { code: "invalid_signature" } };

test("a call is accepted once: somebody who recorded it cannot repeat it", async () => {
  const { call } = await simulator();
  const recorded = signedAt(new Date());
  expect(await call("POST", "/accounts", body, recorded)).toMatchObject({ status: 200 });
  expect(await call("POST", "/accounts", body, recorded)).toMatchObject(refused);
  // We repeat a call as a new one, under the same request id.
  expect(await call("POST", "/accounts", body)).toMatchObject({ status: 200 });
});

test("a recorded call is refused at another path with the same body, and with another method", async () => {
  const { call } = await simulator();
  const now = new Date();
  expect(await call("POST", "/accounts", body, signedAt(now, "/payouts"))).toMatchObject(refused);
  expect(await call("POST", "/accounts?x=1", body, signedAt(now))).toMatchObject(refused);
  expect(await call("POST", "/accounts", body, signedAt(now, "/accounts", "GET"))).toMatchObject(refused);
  expect(await call("POST", "/accounts", body, signedAt(now))).toMatchObject({ status: 200 });
});

test("a call that was kept back is refused after five minutes, and so is one from the future", async () => {
  const { call } = await simulator();
  for (const seconds of [-CALL_WINDOW_S - 5, CALL_WINDOW_S + 5]) {
    const headers = signedAt(new Date(Date.now() + seconds * 1_000));
    expect(await call("POST", "/accounts", body, headers)).toMatchObject(refused);
  }
  const headers = signedAt(new Date(Date.now() - (CALL_WINDOW_S - 30) * 1_000));
  expect(await call("POST", "/accounts", body, headers)).toMatchObject({ status: 200 });
});
