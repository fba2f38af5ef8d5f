import {
  advanceTestClock,
  findEvents,
  getApiCall,
  playScenario,
  readTestClock,
  type WireResult,
} from "@collect/contracts";
import { expect, test } from "vitest";
import { MERCHANT, usePeople } from "./world.ts";

/** API requests as a trace, and the sandbox: each asks the services what the merchant API asks them. */

const { others, people } = await usePeople();
const merchant = { id: MERCHANT, mode: "test", name: "Ada Stores" };
const base = `/api/m/${MERCHANT}/test`;

const call: WireResult<typeof getApiCall> = {
  id: "7",
  at: "2026-11-21T09:30:00.123+00:00",
  request_id: "req_1",
  method: "POST",
  path: "/v1/customer_accounts/cust_1/simulate_payment",
  status: 200,
  code: null,
  duration_ms: 12,
  key: "sk_test_…3xYz",
  made: "col_1",
  problem: null,
  query: null,
  body: null,
};

test("a request is opened with what it is about and the events about that", async () => {
  others.reply(getApiCall, () => call);
  others.reply(findEvents, () => ({ events: [] }));
  const { body } = await people.viewer.get(`${base}/requests/7`);
  expect(body).toEqual({ call, record: { kind: "collections", reference: "col_1" }, events: [] });
  expect(others.askedOf(getApiCall)).toEqual([{ merchant, id: "7" }]);
  expect(others.askedOf(findEvents)).toEqual([{ merchant, reference: "col_1" }]);
});

test("without webhooks the request is shown, one about nothing has no events, and an unknown one is not found", async () => {
  others.refuse(findEvents, "service_unavailable");
  expect((await people.viewer.get(`${base}/requests/7`)).body).toMatchObject({ call, events: null });
  others.refuse(findEvents, undefined);
  others.asked.length = 0;
  others.reply(getApiCall, () => ({ ...call, path: "/v1/balance", made: null }));
  expect((await people.viewer.get(`${base}/requests/7`)).body).toMatchObject({ record: null, events: null });
  expect(others.askedOf(findEvents)).toEqual([]);
  others.refuse(getApiCall, "not_found");
  expect((await people.viewer.get(`${base}/requests/7`)).status).toBe(404);
  others.refuse(getApiCall, undefined);
  expect((await people.viewer.get(`${base}/requests/nonsense`)).status).toBe(404);
  expect((await people.stranger.get(`${base}/requests/7`)).status).toBe(404);
});

test("the test clock and scenarios ask what the merchant API asks, and pass on what it refuses and limits", async () => {
  await people.viewer.get(`${base}/test-clock`);
  expect(others.askedOf(readTestClock)).toEqual([{ merchant }]);
  await people.developer.post(`${base}/test-clock`, { advance_by: 60, mode: "live" });
  expect(others.askedOf(advanceTestClock)).toEqual([{ merchant, advance_by: 60 }]);
  expect(others.audited.at(-1)).toMatchObject({ action: "test_clock.advanced", detail: { advance_by: 60 } });
  const run = { name: "receiver_fails", seed: 7, account_number: "0123456789", times: 2 };
  await people.finance.post(`${base}/scenarios`, run);
  expect(others.askedOf(playScenario)).toEqual([{ merchant, ...run }]);
  expect(others.audited.at(-1)).toMatchObject({ action: "scenario.played", detail: run, outcome: "done" });
  for (const [request, path, body, code] of [
    [advanceTestClock, "test-clock", { advance_by: 60 }, "test_clock_advancing"],
    [playScenario, "scenarios", run, "rate_limited"],
    [playScenario, "scenarios", run, "no_webhook_url"],
  ] as const) {
    others.refuse(request, code);
    expect((await people.owner.post(`${base}/${path}`, body)).body.code).toBe(code);
    expect(others.audited.at(-1)).toMatchObject({ outcome: "refused" });
    others.refuse(request, undefined);
  }
});

test("fields that the sandbox does not take are refused before a service is asked", async () => {
  others.asked.length = 0;
  for (const [path, body, param] of [
    ["test-clock", { advance_by: 401 * 86_400 }, "advance_by"],
    ["test-clock", { advance_to: "tomorrow" }, "advance_to"],
    ["scenarios", { name: "reversed", seed: 7, account_number: "0123456789" }, "name"],
    ["scenarios", { name: "receiver_fails", seed: -1, account_number: "0123456789" }, "seed"],
    ["scenarios", { name: "receiver_fails", seed: 1, account_number: "1" }, "account_number"],
    ["scenarios", { name: "receiver_fails", seed: 1, account_number: "0123456789", times: 16 }, "times"],
  ] as const) {
    const { body: refused } = await people.owner.post(`${base}/${path}`, body);
    expect([refused.code, Object(refused.errors)[0]?.param]).toEqual(["validation_failed", param]);
  }
  expect(others.asked).toEqual([]);
});
