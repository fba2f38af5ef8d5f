import { randomUUID } from "node:crypto";
import { until, type World } from "@collect/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  aLink,
  type Checkout,
  call,
  FORM,
  type Link,
  openCheckoutWorld,
  startCheckout,
  withoutNonce,
} from "./checkout.ts";
import { type Others, playOthers } from "./others.ts";

let world: World;
let checkout: Checkout;
let others: Others;

beforeAll(async () => {
  world = await openCheckoutWorld();
  others = await playOthers(world);
  checkout = await startCheckout(world);
});
afterAll(async () => {
  await checkout.stop();
  await others.stop();
  await world.close();
});

function known(given: Partial<Link> = {}): Link {
  const link = aLink(given);
  others.links.set(link.slug, link);
  return link;
}
const get = (slug: string) => call(checkout, "GET", `/l/${slug}`);
const send = (slug: string, fields: Record<string, string>) =>
  call(checkout, "POST", `/l/${slug}`, { body: new URLSearchParams(fields).toString(), type: FORM });
const payer = { name: "Ada Obi", email: "ada@example.com" };
const opened = (slug: string) =>
  others.asked
    .filter(({ subject, input }) => subject === "link payment" && input.slug === slug)
    .map(({ input }) => input);
const keyIn = (text: string) => /name="key" value="([^"]+)"/.exec(text)?.[1] ?? "";

describe("an active link", () => {
  test("shows who is paid, for what and how much, and asks for name and email", async () => {
    const { slug } = known();
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

  test("opens a session and leads to its page", async () => {
    const { slug } = known();
    const sent = await send(slug, { ...payer, key: keyIn((await get(slug)).text), amount: "1" });
    expect(sent.status).toBe(303);
    const page = await call(checkout, "GET", sent.headers.get("location") ?? "");
    expect(page.text).toContain("₦2,500.73");
    expect(opened(slug)).toMatchObject([{ ...payer, amount: undefined }]);
  });

  test("the same form sent again and again, even at once, is one payment; changed after going back, it is another", async () => {
    const { slug } = known({ amount: null });
    const form = { ...payer, key: randomUUID(), amount: "2,500.00" };
    const answers = await Promise.all([send(slug, form), send(slug, form), send(slug, { ...form, amount: "2500" })]);
    const places = new Set(answers.map(({ headers }) => headers.get("location")));
    expect(places.size).toBe(1);
    const changed = await send(slug, { ...form, amount: "3,000" });
    expect(places.has(changed.headers.get("location"))).toBe(false);
    expect(opened(slug).map(({ amount }) => amount)).toEqual([250_000n, 250_000n, 250_000n, 300_000n]);
  });

  test("an open amount that cannot be read, or is too much, is asked for again with everything as it was typed", async () => {
    const { slug } = known({ amount: null });
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
    expect(opened(slug)).toHaveLength(1);
  });

  test("a form without a key is not ours", async () => {
    const { slug } = known();
    expect((await send(slug, payer)).status).toBe(400);
    expect((await send(slug, { ...payer, key: "1" })).status).toBe(400);
    expect(opened(slug)).toEqual([]);
  });

  test("what the merchant wrote is text", async () => {
    const evil = '<script>alert("x")</script><img src=x onerror=alert(1)>';
    const { text } = await get(known({ title: evil, description: evil, merchant_name: evil }).slug);
    expect(text).not.toMatch(/<(script>|img)/);
    expect(text).toContain("&lt;script>alert(&quot;x&quot;)&lt;/script>");
  });
});

describe("a link that takes nothing", () => {
  test.each([
    ["disabled", "This link is closed"],
    ["expired", "This link has ended"],
    ["used_up", "This link has been used up"],
  ] as const)("%s: says so, and that what was sent is safe", async (status, title) => {
    const { slug } = known({ status });
    for (const answer of [await get(slug), await send(slug, { ...payer, key: randomUUID() })]) {
      expect(answer.status).toBe(410);
      expect(answer.text).toContain(title);
      expect(answer.text).toContain("If you have already sent money, it is safe");
      expect(answer.text).not.toContain("<form");
    }
  });

  test("a page that is sent again leads to its own payment, though the link takes nobody else now", async () => {
    for (const status of ["held", "used_up", "disabled", "expired"] as const) {
      const link = known();
      const form = { ...payer, key: randomUUID() };
      const first = await send(link.slug, form);
      known({ ...link, status });
      const again = await send(link.slug, form);
      expect([again.status, again.headers.get("location")], status).toEqual([303, first.headers.get("location")]);
      expect((await send(link.slug, { ...form, name: "Bisi Ade" })).status).toBe(status === "held" ? 409 : 410);
    }
  });

  test("held by payments under way: says that one may be the payer's own, that a place may become free, and that nothing is lost", async () => {
    const { slug } = known({ status: "held" });
    for (const answer of [await get(slug), await send(slug, { ...payer, key: randomUUID() })]) {
      expect(answer.status).toBe(409);
      for (const part of [
        "Other payments are under way",
        "go back to that page",
        "nothing is lost",
        "within half an hour",
        "If you have already sent money, it is safe",
        `href="/l/${slug}"`,
      ])
        expect(answer.text).toContain(part);
      expect(answer.text).not.toMatch(/<form|another link|used up/);
    }
  });

  test("closed between looking and paying: the same page", async () => {
    const { slug } = known();
    others.closing.add(slug);
    const sent = await send(slug, { ...payer, key: randomUUID() });
    expect([sent.status, sent.text.includes("This link has ended")]).toEqual([410, true]);
  });

  test("unknown, malformed and elsewhere: one neutral page, the same as of a session that is not there", async () => {
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

test("a slug that nobody has is asked for once and remembered briefly", async () => {
  const { slug } = aLink();
  for (let time = 0; time < 5; time++) await get(slug);
  expect(others.asked.filter(({ subject, input }) => subject === "link" && input.slug === slug)).toHaveLength(1);
});

test("a link's form is taken 300 times a minute, whoever sends it, and another link has a budget of its own", async () => {
  const { slug } = known({ status: "disabled" });
  const answers = await Promise.all(Array.from({ length: 310 }, () => send(slug, { ...payer, key: randomUUID() })));
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
  expect((await send(known({ status: "disabled" }).slug, { ...payer, key: randomUUID() })).status).toBe(410);
});

test("forms that can open nothing have a budget of their own: no number of them keeps payers out", async () => {
  const { slug } = known();
  const mistakes: Record<string, string>[] = [
    {},
    { key: "1" },
    { ...payer, key: "" },
    { ...payer, key: randomUUID(), email: "nobody" },
  ];
  const sent = await Promise.all(Array.from({ length: 1_210 }, (_, n) => send(slug, mistakes[n % 4] ?? {})));
  expect(sent.filter(({ status }) => status === 400)).toHaveLength(1_200);
  expect(sent.filter(({ status }) => status === 429)).toHaveLength(10);
  expect((await send(slug, { ...payer, key: randomUUID() })).status).toBe(303);
});

test("another method is not allowed", async () => {
  const refused = await call(checkout, "PUT", `/l/${aLink().slug}`);
  expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, POST, HEAD"]);
});

test("with payments down the page says so plainly, and works again once it is back", async () => {
  const link = known();
  await others.stop();
  const down = await get(link.slug);
  expect([down.status, down.text.includes("If you have already sent money, it is safe")]).toEqual([503, true]);
  others = await playOthers(world);
  others.links.set(link.slug, link);
  await until("back", async () => (await get(link.slug)).status === 200);
});
