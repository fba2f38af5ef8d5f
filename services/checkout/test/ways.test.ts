import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { aLink, aSession, call, EAGER, FORM, inMinutes, paid, words } from "./checkout.ts";
import { NOTHING_KEPT } from "./fake-services.ts";
import { useCheckout } from "./world.ts";

/** The ways on from a payment: back to the merchant, to the phone, to a receipt, and to a payment that was left. */

const { fakes, checkout, aKnownSession, showPage } = await useCheckout({ refresh: EAGER, proxies: "1" });

type Given = Parameters<typeof aSession>[0];
const page = async (given: Given) => (await showPage((await aKnownSession(given)).reference)).text;

const STATES = {
  "asking for details": { detailsRequired: true },
  pending: {},
  processing: { status: "processing" },
  underpaid: { status: "underpaid", amountReceived: 1n },
  "underpaid, too late": { status: "underpaid", amountReceived: 1n, watchUntil: inMinutes(-1) },
  expired: { status: "expired" },
  "expired before there was an account": { status: "expired", hasAccount: false, detailsRequired: true },
} satisfies Record<string, Given>;

describe("a way back to the merchant", () => {
  test("leads to the front page of the merchant's site until the payment is paid, in every state", async () => {
    for (const [state, given] of Object.entries(STATES)) {
      const text = await page(given);
      expect(text, state).toContain('id="back" href="https://shop.example/"');
      expect(text, state).not.toContain("https://shop.example/done");
    }
  });

  test("leads to the payment link that the payer came from", async () => {
    const kept = { ...NOTHING_KEPT, paymentLink: "1234567890" };
    for (const given of [{}, { status: "processing" }, paid(aSession())] as Given[])
      expect(await page({ ...given, redirectUrl: null, openedBy: "payment_link", kept })).toContain(
        'href="/l/1234567890"',
      );
  });

  test("closes the window where there is no address", async () => {
    expect(await page({ redirectUrl: null })).toContain('id="close"');
    expect(await page({})).not.toContain('id="close"');
    expect(await page({ redirectUrl: "javascript:alert(1)" })).not.toContain("javascript:");
  });
});

test("an expired session of a link starts again; another one is led back", async () => {
  const kept = { ...NOTHING_KEPT, paymentLink: "1234567890" };
  for (const hasAccount of [true, false]) {
    const text = await page({ status: "expired", hasAccount, redirectUrl: null, openedBy: "payment_link", kept });
    expect(text).toMatch(/<a class="button" id="again" href="\/l\/1234567890"\s*>Start again<\/a\s*>/);
  }
  expect(await page({ status: "expired" })).not.toContain("Start again</a");
});

describe("the code that hands the page to a phone", () => {
  test("is an image of the page's own address, as the proxy in front says it", async () => {
    const { reference } = await aKnownSession();
    expect((await showPage(reference)).text).toContain(`src="/pay/${reference}/code.svg"`);
    const near = await call(checkout, "GET", `/pay/${reference}/code.svg`);
    expect([near.status, near.headers.get("content-type")]).toEqual([200, "image/svg+xml; charset=utf-8"]);
    expect(near.text).toMatch(/^<svg [^>]*viewBox="0 0 \d+ \d+"/);
    const headers = { "x-forwarded-proto": "https", "x-forwarded-host": "pay.example", "x-forwarded-for": "1.2.3.4" };
    const far = await call(checkout, "GET", `/pay/${reference}/code.svg`, { headers });
    expect(far.text).not.toBe(near.text);
    expect((await call(checkout, "GET", "/pay/x/code.svg")).status).toBe(404);
  });

  test("is shown only while there is something to pay", async () => {
    expect(await page(paid(aSession()))).not.toContain("code.svg");
    expect(await page({ status: "expired" })).not.toContain("code.svg");
  });
});

describe("a receipt", () => {
  test("is a file with payee, amount, time and reference, and with nothing to load or run", async () => {
    const session = await aKnownSession({ ...paid(aSession()), paidAt: "2026-11-21T13:32:00.000+00:00" });
    const saved = await call(checkout, "GET", `/pay/${session.reference}/receipt`);
    expect(saved.headers.get("content-disposition")).toBe(`attachment; filename=receipt-${session.reference}.html`);
    for (const part of ["Paid to Ada Stores", "₦2,500.73", "21 November 2026, 14:32, Lagos time", session.reference])
      expect(words(saved.text)).toContain(part);
    expect(saved.text).not.toMatch(/<script|<link|<img|<form|src=|href=/);
  });

  test("says what arrived too much, and whom to ask, whether in one transfer or in two", async () => {
    for (const status of ["overpaid", "paid", "paid_late"] as const) {
      const { reference } = await aKnownSession({ ...paid(aSession()), status, amountReceived: 500_146n });
      const { text } = await call(checkout, "GET", `/pay/${reference}/receipt`);
      expect(words(text), status).toContain(
        "To pay ₦2,500.73 Arrived ₦5,001.46 Too much ₦2,500.73 Ada Stores knows. Ask them about the difference. Paid to",
      );
    }
  });

  test.each([
    ["all", 250_073n, " Left ₦2,500.73", "The bank took back ₦2,500.73."],
    ["a part", 100_000n, " Too much ₦1,500.73", "The bank took back ₦1,000.00. You sent ₦1,500.73 too much."],
  ])(
    "is given for what was paid twice, also if the bank took back %s of the excess",
    async (_what, amountReversed, rest, said) => {
      const session = await aKnownSession({ ...paid(aSession()), amountReceived: 500_146n, amountReversed });
      const { text } = await showPage(session.reference);
      const saved = await call(checkout, "GET", `/pay/${session.reference}/receipt`);
      expect(saved.status).toBe(200);
      const takenBack = amountReversed === 250_073n ? "₦2,500.73" : "₦1,000.00";
      for (const shown of [text, saved.text])
        expect(words(shown)).toContain(`To pay ₦2,500.73 Arrived ₦5,001.46 Taken back ${takenBack}${rest} `);
      expect(words(text)).toMatch(/Paid To pay .*Return to Ada Stores/);
      expect(words(text).includes("Ask them about the difference.")).toBe(rest.includes("Too much"));
      expect(words(text)).not.toContain("ask your bank");
      expect(text).toContain(`data-announcement="Paid. ₦5,001.46 arrived. ${said}"`);
    },
  );

  test("does not exist before the payment is paid", async () => {
    for (const given of [{}, { status: "underpaid", amountReceived: 1n }, { status: "expired" }] as Given[]) {
      const { reference } = await aKnownSession(given);
      expect((await call(checkout, "GET", `/pay/${reference}/receipt`)).status).toBe(404);
    }
  });
});

describe("a payer who returns to a link", () => {
  async function pay(headers: Record<string, string> = { "sec-fetch-site": "same-origin" }) {
    const link = aLink();
    fakes.links.set(link.slug, link);
    const form = new URLSearchParams({ key: randomUUID(), name: "Ada Obi", email: "ada@example.com" });
    const sent = await call(checkout, "POST", `/l/${link.slug}`, { body: String(form), type: FORM, headers });
    const cookie = sent.headers.get("set-cookie") ?? "";
    const reference = sent.headers.get("location")?.replace("/pay/", "") ?? "";
    const open = (slug = link.slug, value = cookie.split(";")[0] ?? "") =>
      call(checkout, "GET", `/l/${slug}`, { headers: { cookie: `other=1; ${value}` } });
    return { link, cookie, reference, open, status: sent.status };
  }

  test("finds the payment on the same device, by a cookie that holds its reference alone and ends with it", async () => {
    const { link, cookie, reference, open } = await pay();
    expect(cookie).toMatch(
      new RegExp(`^payment=${reference}; Path=/l/${link.slug}; Expires=[^;]+ GMT; HttpOnly; SameSite=Lax$`),
    );
    const { text } = await open();
    expect(words(text)).toMatch(/You have a payment here It was started on this device at \d\d:\d\d Lagos time\./);
    expect(text).toContain(`href="/pay/${reference}"`);
    expect(text).toContain('name="key"');
    expect(text).not.toMatch(/Ada Obi|ada@example.com/);
  });

  test("finds only what was started on the link's own page, with or without script: another site plants nothing", async () => {
    const origin = new URL(checkout.url).origin;
    const far = { "x-forwarded-proto": "https", "x-forwarded-host": "pay.example" };
    const own: Record<string, string>[] = [
      { "sec-fetch-site": "same-origin", origin: "null" },
      { origin },
      { ...far, origin: "https://pay.example" },
    ];
    const others: Record<string, string>[] = [
      ...["cross-site", "same-site", "none"].map((site) => ({ "sec-fetch-site": site, origin })),
      ...["https://evil.example", "null", `${origin}0`, "http://pay.example"].map((origin) => ({ ...far, origin })),
      {},
    ];
    for (const headers of own) expect((await pay(headers)).cookie, JSON.stringify(headers)).toContain("payment=pay_");
    for (const headers of others) {
      const { status, reference, cookie } = await pay(headers);
      expect([status, cookie], JSON.stringify(headers)).toEqual([303, ""]);
      expect((await showPage(reference)).status).toBe(200);
    }
  });

  test("sees whether it is paid or its time is up, and finds it on a closed link too", async () => {
    const { link, reference, open } = await pay();
    const session = fakes.sessions.get(reference);
    if (!session) throw new Error("no session");
    const known = async (given: Given) => {
      const changed = await aKnownSession({ ...session, ...given, reference, version: session.version + 1 });
      fakes.sessions.set(changed.reference, changed);
      return open();
    };
    fakes.links.set(link.slug, { ...link, status: "held" });
    const held = await known(paid(session));
    expect([held.status, words(held.text).includes("You paid here")]).toEqual([409, true]);
    expect(held.text).not.toContain("Start a new payment below");
  });

  test("gets only payments of that link; any other value is ignored", async () => {
    const { link, open } = await pay();
    const other = await aKnownSession();
    const second = await pay();
    for (const value of [
      `payment=${other.reference}`,
      `payment=${second.reference}`,
      "payment=x",
      "payment=pay_x",
      "",
    ]) {
      const { status, text } = await open(link.slug, value);
      expect([status, text.includes('id="known"')], value).toEqual([200, false]);
    }
  });

  test("over https the cookie never goes over http", async () => {
    const link = aLink();
    fakes.links.set(link.slug, link);
    const form = new URLSearchParams({ key: randomUUID(), name: "Ada Obi", email: "ada@example.com" });
    const headers = { "x-forwarded-proto": "https", "sec-fetch-site": "same-origin" };
    const sent = await call(checkout, "POST", `/l/${link.slug}`, { body: String(form), type: FORM, headers });
    expect(sent.headers.get("set-cookie")).toContain("; Secure");
  });
});
