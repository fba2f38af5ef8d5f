import { randomUUID } from "node:crypto";
import { until } from "@collect/testing";
import { describe, expect, test } from "vitest";
import { aLink, call, EAGER, FORM, type Link, withoutNonce } from "./checkout.ts";
import { useCheckout } from "./world.ts";

const { fakes, checkout } = await useCheckout({ refresh: EAGER, proxies: "1" });

function aKnownLink(given: Partial<Link> = {}): Link {
  const link = aLink(given);
  fakes.links.set(link.slug, link);
  return link;
}
const get = (slug: string) => call(checkout, "GET", `/l/${slug}`);
const send = (slug: string, fields: Record<string, string>) =>
  call(checkout, "POST", `/l/${slug}`, { body: new URLSearchParams(fields).toString(), type: FORM });
const payer = { name: "Ada Obi", email: "ada@example.com" };
const paymentsThrough = (slug: string) =>
  fakes.requests
    .filter(({ subject, input }) => subject === "link payment" && input.slug === slug)
    .map(({ input }) => input);
const keyIn = (text: string) => /name="key" value="([^"]+)"/.exec(text)?.[1] ?? "";

describe("an active link", () => {
  test("shows merchant, purpose and amount, and asks for name and email", async () => {
    const { slug } = aKnownLink();
    const { status, text } = await get(slug);
    expect(status).toBe(200);
    for (const part of [
      "Ada Stores",
      "Ankara dress",
      "Size 12",
      "₦2,500.00",
      "Test mode",
      'name="name"',
      'name="email"',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('name="amount"');
    expect(text).not.toContain("http-equiv");
    expect(keyIn((await get(slug)).text)).not.toBe(keyIn(text));
  });

  test("creates a session and redirects to its page", async () => {
    const { slug } = aKnownLink();
    const sent = await send(slug, { ...payer, key: keyIn((await get(slug)).text), amount: "1" });
    expect(sent.status).toBe(303);
    const page = await call(checkout, "GET", sent.headers.get("location") ?? "");
    expect(page.text).toContain("₦2,500.73");
    expect(paymentsThrough(slug)).toMatchObject([{ ...payer, amount: undefined }]);
  });

  test("the same form submitted repeatedly, even concurrently, is one payment; a changed form is another", async () => {
    const { slug } = aKnownLink({ amount: null });
    const form = { ...payer, key: randomUUID(), amount: "2,500.00" };
    const responses = await Promise.all([send(slug, form), send(slug, form), send(slug, { ...form, amount: "2500" })]);
    const locations = new Set(responses.map(({ headers }) => headers.get("location")));
    expect(locations.size).toBe(1);
    const changed = await send(slug, { ...form, amount: "3,000" });
    expect(locations.has(changed.headers.get("location"))).toBe(false);
    expect(paymentsThrough(slug).map(({ amount }) => amount)).toEqual([250_000n, 250_000n, 250_000n, 300_000n]);
  });

  test("an amount that is invalid or too large is asked for again, with all values as they were typed", async () => {
    const { slug } = aKnownLink({ amount: null });
    const key = randomUUID();
    for (const amount of ["2,50", "", "zero", "0", "-5"]) {
      const again = await send(slug, { ...payer, key, amount });
      expect([again.status, keyIn(again.text)], amount).toEqual([400, key]);
      expect(again.text).toContain("Enter an amount in naira");
      expect(again.text).toContain(amount === "" ? "value required" : `value="${amount}"`);
      expect(again.text).toContain('value="ada@example.com"');
    }
    const tooMuch = await send(slug, { ...payer, key, amount: "5,000,000.01" });
    expect(tooMuch.status).toBe(422);
    expect(tooMuch.text).toContain("That is more than can be paid at once.");
    const anonymous = await send(slug, { key, amount: "5", name: "", email: "nobody" });
    expect(anonymous.text).toContain("Enter your name");
    expect(anonymous.text).toContain("Enter an email address");
    expect(paymentsThrough(slug)).toHaveLength(1);
  });

  test("when no amount is free the form says so and keeps its values, and is accepted later", async () => {
    const { slug } = aKnownLink({ amount: null });
    const form = { ...payer, key: randomUUID(), amount: "2,500" };
    fakes.behavior.isFull = true;
    const { status, text } = await send(slug, form);
    fakes.behavior.isFull = false;
    expect([status, keyIn(text)]).toEqual([503, form.key]);
    for (const part of ["Don't send any money", 'value="2,500"', 'value="Ada Obi"', 'value="ada@example.com"'])
      expect(text).toContain(part);
    expect(text).toContain("<title>Pay Ada Stores</title>");
    expect((await send(slug, form)).status).toBe(303);
  });

  test("a form without a key is refused", async () => {
    const { slug } = aKnownLink();
    expect((await send(slug, payer)).status).toBe(400);
    expect((await send(slug, { ...payer, key: "1" })).status).toBe(400);
    expect(paymentsThrough(slug)).toEqual([]);
  });

  test("text from the merchant is escaped", async () => {
    const evil = '<script>alert("x")</script><img src=x onerror=alert(1)>';
    const { text } = await get(aKnownLink({ title: evil, description: evil, merchant_name: evil }).slug);
    expect(text).not.toMatch(/<(script>|img)/);
    expect(text).toContain("&lt;script>alert(&quot;x&quot;)&lt;/script>");
  });
});

describe("a link that cannot be paid", () => {
  test.each([
    ["disabled", "This link is closed"],
    ["expired", "This link has ended"],
    ["used_up", "This link has been used up"],
  ] as const)("%s: says so, and that money already sent is safe", async (status, title) => {
    const { slug } = aKnownLink({ status });
    for (const response of [await get(slug), await send(slug, { ...payer, key: randomUUID() })]) {
      expect(response.status).toBe(410);
      expect(response.text).toContain(title);
      expect(response.text).toContain("If you have already sent money, it is safe");
      expect(response.text).not.toContain("<form");
    }
  });

  test("a form that is submitted again redirects to its own payment, although the link accepts no others", async () => {
    for (const status of ["held", "used_up", "disabled", "expired"] as const) {
      const link = aKnownLink();
      const form = { ...payer, key: randomUUID() };
      const first = await send(link.slug, form);
      aKnownLink({ ...link, status });
      const again = await send(link.slug, form);
      expect([again.status, again.headers.get("location")], status).toEqual([303, first.headers.get("location")]);
      expect((await send(link.slug, { ...form, name: "Bisi Ade" })).status).toBe(status === "held" ? 409 : 410);
    }
  });

  test("held by other payments: says that one may be the payer's own, that the link may become available, and that nothing is lost", async () => {
    const { slug } = aKnownLink({ status: "held" });
    for (const response of [await get(slug), await send(slug, { ...payer, key: randomUUID() })]) {
      expect(response.status).toBe(409);
      for (const part of [
        "Other people are paying now",
        "go back to that page",
        "nothing is lost",
        "within half an hour",
        "If you have already sent money, it is safe",
        `href="/l/${slug}"`,
      ])
        expect(response.text).toContain(part);
      expect(response.text).not.toMatch(/<form|another link|used up/);
    }
  });

  test("expired between viewing and paying: the same page", async () => {
    const { slug } = aKnownLink();
    fakes.closing.add(slug);
    const sent = await send(slug, { ...payer, key: randomUUID() });
    expect([sent.status, sent.text.includes("This link has ended")]).toEqual([410, true]);
  });

  test("unknown, malformed and other paths get the same neutral page as an unknown session", async () => {
    const unknown = await get(aLink().slug);
    expect(unknown.status).toBe(404);
    for (const path of ["/l/x", "/l/%zz", "/l/", `/l/${aLink().slug}/x`, "/l/0OIl000000", "/pay/x"]) {
      const other = await call(checkout, "GET", path);
      expect([other.status, withoutNonce(other)], path).toEqual([404, withoutNonce(unknown)]);
    }
    const sent = await send(aLink().slug, { ...payer, key: randomUUID() });
    expect([sent.status, withoutNonce(sent)]).toEqual([404, withoutNonce(unknown)]);
  });
});

test("an unknown slug is requested once and cached briefly", async () => {
  const { slug } = aLink();
  for (let time = 0; time < 5; time++) await get(slug);
  expect(fakes.requests.filter(({ subject, input }) => subject === "link" && input.slug === slug)).toHaveLength(1);
});

test("a link's form is accepted 120 times a minute from one address, mistakes included; other payers are unaffected", async () => {
  const { slug } = aKnownLink();
  const mistakes: Record<string, string>[] = [
    {},
    { key: "1" },
    { ...payer, key: "" },
    { ...payer, key: randomUUID(), email: "nobody" },
  ];
  const sent = await Promise.all(Array.from({ length: 130 }, (_, n) => send(slug, mistakes[n % 4] ?? {})));
  expect(sent.filter(({ status }) => status === 400)).toHaveLength(120);
  expect(sent.filter(({ status }) => status === 429)).toHaveLength(10);
  const body = new URLSearchParams({ ...payer, key: randomUUID() }).toString();
  const headers = { "x-forwarded-for": "203.0.113.7" };
  expect((await call(checkout, "POST", `/l/${slug}`, { body, type: FORM, headers })).status).toBe(303);
  expect((await send(aKnownLink({ status: "disabled" }).slug, { ...payer, key: randomUUID() })).status).toBe(410);
});

test("another method is not allowed", async () => {
  const refused = await call(checkout, "PUT", `/l/${aLink().slug}`);
  expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, POST, HEAD"]);
});

test("while payments is down the page says so, and recovers afterwards", async () => {
  const link = aKnownLink();
  await fakes.stop();
  const down = await get(link.slug);
  expect([down.status, down.text.includes("If you have already sent money, it is safe")]).toEqual([503, true]);
  await fakes.restart();
  fakes.links.set(link.slug, link);
  await until("back", async () => (await get(link.slug)).status === 200);
});

test("a suspended business's link says not to send money, and shows the payer's own payment as before", async () => {
  const { slug } = aKnownLink();
  const form = { ...payer, key: randomUUID() };
  const first = await send(slug, form);
  fakes.suspended.add(slug);
  const { status, text } = await send(slug, { ...payer, key: randomUUID() });
  expect(status).toBe(403);
  expect(text).toContain("take payments now");
  expect(text).toContain("send money to it");
  expect(text).not.toContain("suspended");
  const again = await send(slug, form);
  expect([again.status, again.headers.get("location")]).toEqual([303, first.headers.get("location")]);
});
