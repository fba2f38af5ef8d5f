import { describe, expect, test } from "vitest";
import { ADA, aReference, aSession, call, FORM, inMinutes, paid, startCheckout } from "./checkout.ts";
import { useCheckout } from "./world.ts";

const { world, fakes, checkout, aKnownSession, requestsOf, show } = await useCheckout();

describe("GET /checkout/{reference}", () => {
  test("returns what a payer may see, in naira, and nothing else, and is not cached", async () => {
    const session = await aKnownSession();
    const { status, headers, body } = await show(session.reference);
    expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(body).toEqual({
      reference: session.reference,
      status: "pending",
      mode: "test",
      merchant_name: "Ada Stores",
      description: "Order 1001",
      amount: 2500.73,
      amount_requested: 2500,
      amount_received: 0,
      currency: "NGN",
      account_number: "0123456789",
      account_name: "Ada Stores / Collections",
      bank_name: "Test Bank",
      details_required: false,
      expires_at: session.expiresAt,
      server_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/),
      return_url: null,
      poll_after_ms: 3000,
    });
    expect(Math.abs(Date.parse(String(body.server_time)) - Date.now())).toBeLessThan(10_000);
  });

  test("hides the account while details are required, and has a return_url once paid", async () => {
    const anonymous = await aKnownSession({ detailsRequired: true });
    const hidden = { details_required: true, account_number: null, account_name: null, bank_name: null };
    expect((await show(anonymous.reference)).body).toMatchObject(hidden);
    const session = await aKnownSession(paid(aSession()));
    expect((await show(session.reference)).body).toMatchObject({
      status: "paid",
      amount_received: 2500.73,
      return_url: `https://shop.example/done?order=1001&reference=${session.reference}#top`,
      poll_after_ms: 60_000,
    });
  });

  test("a session past its expiry keeps the status of payments", async () => {
    const session = await aKnownSession({ status: "processing", expiresAt: inMinutes(-1) });
    expect((await show(session.reference)).body.status).toBe("processing");
  });
});

describe("POST /checkout/{reference}/details", () => {
  const give = (reference: string, body: unknown, type?: string) =>
    call(checkout, "POST", `/checkout/${reference}/details`, { body, type });

  test("reveals the account; a repeat is safe, different values are refused", async () => {
    const { reference } = await aKnownSession({ detailsRequired: true });
    const given = await give(reference, { ...ADA, mode: "live", extra: 1 });
    expect([given.status, given.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(given.body).toMatchObject({
      reference,
      details_required: false,
      account_number: "0123456789",
      mode: "test",
    });
    expect((await show(reference)).body).toMatchObject({ account_number: "0123456789" });
    expect((await give(reference, "name=+Ada++Obi&email=ada%40example.com", FORM)).status).toBe(200);
    const other = await give(reference, { ...ADA, name: "Chidi" });
    expect([other.status, other.body.code]).toEqual([409, "details_already_given"]);
    expect(requestsOf("details", reference)[0]?.input).toEqual({ reference, ...ADA });
  });

  test.each([
    ["no name", { email: ADA.email }, ["name"]],
    ["an empty name", { name: " ", email: ADA.email }, ["name"]],
    ["a name of 101 characters", { name: "x".repeat(101), email: ADA.email }, ["name"]],
    ["control characters", { name: "a\u0000b", email: ADA.email }, ["name"]],
    ["no email", { name: "Ada" }, ["email"]],
    ["an invalid email", { name: "Ada", email: "ada" }, ["email"]],
    ["an overlong email", { name: "Ada", email: `${"a".repeat(300)}@example.com` }, ["email"]],
    ["other types", { name: 1, email: ["ada@example.com"] }, ["name", "email"]],
    ["nothing", undefined, ["name", "email"]],
  ])("%s is refused by field, without a request to payments", async (_what, body, params) => {
    const { reference } = await aKnownSession({ detailsRequired: true });
    const refused = await give(reference, body);
    expect([refused.status, refused.body.code]).toEqual([400, "validation_failed"]);
    expect((refused.body.errors as { param: string }[]).map(({ param }) => param)).toEqual(params);
    expect(requestsOf("details", reference)).toEqual([]);
  });

  test("an unknown session is not found, and payments gets no command", async () => {
    const reference = aReference();
    for (const path of ["details", "sent"]) {
      const refused = await call(checkout, "POST", `/checkout/${reference}/${path}`, { body: ADA });
      expect([refused.status, refused.body.code]).toEqual([404, "not_found"]);
    }
    expect([...requestsOf("details", reference), ...requestsOf("sent", reference)]).toEqual([]);
  });
});

test("POST /checkout/{reference}/sent makes the session processing, and a repeat changes nothing", async () => {
  const { reference } = await aKnownSession();
  const sent = () => call(checkout, "POST", `/checkout/${reference}/sent`);
  expect([(await sent()).body.status, (await sent()).body.status]).toEqual(["processing", "processing"]);
  expect((await show(reference)).body.status).toBe("processing");
});

/** As a browser names another site, and as an older one does. */
const FOREIGN: Record<string, string>[] = [
  { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
  { origin: "https://evil.example" },
];

test("what a page of another origin sends for a payer, as a form can, is refused and changes nothing", async () => {
  const form = { body: "name=Ada+Obi&email=ada%40example.com&outcome=paid", type: FORM };
  const { reference } = await aKnownSession({ detailsRequired: true });
  const paths = ["/checkout", "/pay"].flatMap((at) => [`${at}/${reference}/details`, `${at}/${reference}/sent`]);
  for (const path of [...paths, `/pay/${reference}/simulate`]) {
    for (const headers of FOREIGN) {
      const refused = await call(checkout, "POST", path, { ...form, headers });
      expect(refused.status, path).toBe(403);
      expect(path.startsWith("/pay") ? refused.text : refused.body.code).toMatch(
        /Nothing was changed|^origin_not_allowed$/,
      );
    }
  }
  const asked = ["details", "sent", "sandbox"].flatMap((subject) => requestsOf(subject, reference));
  expect([asked, (await show(reference)).body.details_required]).toEqual([[], true]);
  const own = { origin: new URL(checkout.url).origin, "sec-fetch-site": "same-origin" };
  for (const path of paths) {
    const sent = await call(checkout, "POST", path, { ...form, headers: own });
    expect([200, 303], path).toContain(sent.status);
  }
});

test("the type of a refusal is its page in the documentation, where there is one", async () => {
  const documented = await startCheckout(world, { docs: "https://docs.example.com/" });
  const typeAt = async (at: typeof checkout, path: string, method = "GET") => (await call(at, method, path)).body.type;
  expect(await typeAt(documented, `/checkout/${aReference()}`)).toBe("https://docs.example.com/errors/not_found");
  expect(await typeAt(documented, "/checkout", "PUT")).toBe("https://docs.example.com/errors/method_not_allowed");
  await documented.stop();
  expect(await typeAt(checkout, `/checkout/${aReference()}`)).toBe("about:blank");
});

test("neither keys nor payers appear in the logs or in the database", async () => {
  const lines: object[] = [];
  const keep = (fields: object, message: string) => void lines.push({ ...fields, message });
  const listening = await startCheckout({ ...world, log: { info: keep, warn: keep, error: keep } });
  const { key, merchant } = fakes.aKey();
  const { reference } = await aKnownSession({ detailsRequired: true });
  await call(listening, "POST", "/checkout", { key, body: { amount: 10, description: "Secret order" } });
  await call(listening, "POST", "/checkout", { key: `sk_test_${"z".repeat(38)}`, body: "{broken" });
  await call(listening, "POST", `/checkout/${reference}/details`, { body: { name: "Zainab", email: "z@example.com" } });
  await listening.stop();
  const logged = JSON.stringify(lines);
  expect(logged).toContain(merchant.id);
  for (const secret of [key, "zzzz", "Zainab", "z@example.com", "Secret order"]) expect(logged).not.toContain(secret);
  const { rows } = await world.owner.query<{ row: string }>(
    "select v::text as row from session_views v union all select h::text from rate_limit_hits h",
  );
  const stored = rows.map(({ row }) => row).join("\n");
  for (const secret of [key, "Zainab", "z@example.com"]) expect(stored).not.toContain(secret);
});
