import { until } from "@collect/testing";
import { expect, test } from "vitest";
import { aReference, aSession, call, FORM, paid, withoutNonce } from "./checkout.ts";
import { useCheckout } from "./world.ts";

const { world, fakes, checkout, aKnownSession } = await useCheckout({ refresh: { everyMs: 20, missTtlMs: 5_000 } });

const get = async (reference: string) => (await call(checkout, "GET", `/pay/${reference}`)).text;
const simulate = (reference: string, outcome: string) =>
  call(checkout, "POST", `/pay/${reference}/simulate`, { body: `outcome=${outcome}`, type: FORM });
const paymentsOf = (reference: string) =>
  fakes.requests.filter(({ subject, input }) => subject === "sandbox" && input.payment_reference === reference);

test("a test session can be paid from its page, which shows it at once, without script", async () => {
  const { reference, merchant } = await aKnownSession();
  expect(await get(reference)).toContain(`action="/pay/${reference}/simulate"`);
  const done = await simulate(reference, "paid");
  expect([done.status, done.headers.get("location")]).toEqual([303, `/pay/${reference}?simulated=paid`]);
  expect(paymentsOf(reference).map(({ input }) => input)).toEqual([
    { merchant: { ...merchant, name: "Ada Stores" }, outcome: "paid", payment_reference: reference },
  ]);
  expect(await get(reference)).toContain("Return to");
});

test("pressing twice, concurrently or in sequence, pays once", async () => {
  const { reference } = await aKnownSession();
  const gate = Promise.withResolvers<void>();
  fakes.behavior.respondAfter = gate.promise;
  const presses = [simulate(reference, "paid"), simulate(reference, "paid")];
  await until("both received", async () => {
    const { rows } = await world.owner.query("select hits from rate_limit_hits where key = $1", [
      `simulations:${reference}`,
    ]);
    return rows[0]?.hits === 2 && paymentsOf(reference).length === 1;
  });
  gate.resolve();
  fakes.behavior.respondAfter = Promise.resolve();
  expect((await Promise.all(presses)).map(({ status }) => status)).toEqual([303, 303]);
  expect((await simulate(reference, "paid")).status).toBe(303);
  expect(paymentsOf(reference)).toHaveLength(1);
});

test("a live session has no panel, and its endpoint responds like an unknown path", async () => {
  const { reference } = await aKnownSession({ merchant: { id: "mer_live", mode: "live" } });
  expect((await get(reference)).replace(/<style.*?<\/style>/s, "")).not.toContain("simulate");
  const unknown = await simulate(aReference(), "paid");
  expect(unknown.status).toBe(404);
  for (const [body, type] of [
    ["outcome=paid", FORM],
    ["outcome=nonsense", FORM],
    ["{", "application/json"],
    ["<a/>", "text/xml"],
  ] as const) {
    const refused = await call(checkout, "POST", `/pay/${reference}/simulate`, { body, type });
    expect([refused.status, withoutNonce(refused)]).toEqual([404, withoutNonce(unknown)]);
  }
  expect(paymentsOf(reference)).toEqual([]);
});

test("an unknown outcome is refused, and the panel says why a simulation was refused", async () => {
  const { reference } = await aKnownSession();
  expect((await simulate(reference, "stolen")).status).toBe(400);
  const refused = await simulate(reference, "underpaid");
  expect(refused.status).toBe(400);
  expect(refused.text).toContain("The amount is too small to be underpaid.");
  expect(refused.text).toContain("Send exactly");
});

test.each([
  [true, {}],
  [true, { status: "processing" }],
  [true, { status: "underpaid" }],
  [true, { status: "expired" }],
  [false, { detailsRequired: true }],
  [false, { status: "paid" }],
  [false, { status: "overpaid" }],
  [false, { status: "paid_late" }],
] as const)("the panel is shown while a transfer is expected from a known payer: %s in %j", async (isThere, given) => {
  expect((await get((await aKnownSession(given)).reference)).includes("/simulate")).toBe(isThere);
});

test("a session can be simulated at most 20 times a minute", async () => {
  const { reference } = await aKnownSession(paid(aSession()));
  const responses = await Promise.all(Array.from({ length: 25 }, () => simulate(reference, "paid")));
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(5);
  expect(paymentsOf(reference)).toEqual([]);
});

test("the simulated outcome that a page shows is one of four words", async () => {
  const { reference } = await aKnownSession();
  const text = async (query: string) => (await call(checkout, "GET", `/pay/${reference}?simulated=${query}`)).text;
  expect(await text("underpaid")).toContain("Simulated: underpaid.");
  expect(await text("call%20080012345")).not.toMatch(/Simulated:|080012345/);
});
