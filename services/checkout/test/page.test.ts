import { describe, expect, test } from "vitest";
import { aSession, call, FORM, inMinutes, paid, words } from "./checkout.ts";
import { useCheckout } from "./world.ts";

const { checkout, aKnownSession, showPage } = await useCheckout();

const read = async (given: Parameters<typeof aSession>[0]) =>
  words((await showPage((await aKnownSession(given)).reference)).text);

const refreshOf = (text: string) => /<noscript><meta http-equiv="refresh" content="(\d+)"/.exec(text)?.[1];

describe("a session to be paid", () => {
  test("shows the merchant, the exact amount and the reason for it, the account and the deadline, in that order", async () => {
    const session = await aKnownSession({ expiresAt: inMinutes(11.5) });
    const { status, headers, text } = await showPage(session.reference);
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const order = [
      "<h1",
      "Ada Stores",
      "Order 1001",
      "₦2,500.00",
      "Send exactly</h2>",
      "₦2,500.73",
      "The last kobo tell us this payment is yours.",
      "Test Bank",
      "<span>012</span><span>345</span><span>6789</span>",
      "Ada Stores / Collections",
      "This amount is held for you until",
      `<time datetime="${session.expiresAt}"`,
      ">12\u00a0min<",
      "I've sent the money",
    ];
    const positions = order.map((part, index) =>
      text.indexOf(part, index === 0 ? 0 : text.indexOf(order[index - 1] ?? "")),
    );
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    expect(positions).not.toContain(-1);
    expect(text).toMatch(/^<!doctype html><html lang="en">/);
  });

  test("shows Lagos time, and the exact day on hover", async () => {
    const expiresAt = "2099-11-21T13:32:00.000+00:00";
    const { text } = await showPage((await aKnownSession({ expiresAt })).reference);
    expect(text).toContain(`<time datetime="${expiresAt}" title="21 November 2099, 14:32">14:32</time>`);
  });

  test("names test mode, and does not mention live mode", async () => {
    expect(await read({})).toContain("Test mode: no real money moves.");
    expect(await read({ merchant: { id: "mer_live", mode: "live" } })).not.toContain("Test mode");
  });

  test("a moment after its end it says so and still shows the account", async () => {
    const text = await read({ expiresAt: inMinutes(-1) });
    expect(text).toContain("This amount was held for you until");
    expect(text).not.toContain("\u00a0min");
  });
});

test("sent: the button redirects to the page, which waits and reloads", async () => {
  const { reference } = await aKnownSession();
  const sent = await call(checkout, "POST", `/pay/${reference}/sent`, { body: "", type: FORM });
  expect([sent.status, sent.headers.get("location")]).toEqual([303, `/pay/${reference}`]);
  const { text } = await showPage(reference);
  expect(text).toContain("Looking for your transfer…");
  expect(text).not.toContain(`action="/pay/${reference}/sent"`);
  expect(refreshOf(text)).toBe("5");
  expect(text).toContain(`<noscript><p><a class="again" href="/pay/${reference}">Check again</a></p></noscript>`);
});

describe("an anonymous payer", () => {
  const give = (reference: string, body: string, type = FORM) =>
    call(checkout, "POST", `/pay/${reference}/details`, { body, type });

  test("is asked for details first, sees no account, and never loses input to a reload", async () => {
    const { reference } = await aKnownSession({ detailsRequired: true });
    const { text } = await showPage(reference);
    expect(words(text)).toContain("Ada Stores needs your name and email to know whose payment this is");
    expect(text).toContain(`action="/pay/${reference}/details"`);
    expect([refreshOf(text), text.includes("6789"), text.includes("Test Bank")]).toEqual([undefined, false, false]);
  });

  test("who submits details sees the account", async () => {
    const { reference } = await aKnownSession({ detailsRequired: true });
    const given = await give(reference, "name=Ada+Obi&email=ada%40example.com");
    expect([given.status, given.headers.get("location")]).toEqual([303, `/pay/${reference}`]);
    expect((await showPage(reference)).text).toContain("6789");
  });

  test("who submits invalid details gets the form back with the same values and the mistakes", async () => {
    const { reference } = await aKnownSession({ detailsRequired: true });
    const again = await give(reference, `name=${encodeURIComponent('"><script>alert(1)</script>')}&email=nobody`);
    expect(again.status).toBe(400);
    expect(again.text).toContain('value="&quot;>&lt;script>alert(1)&lt;/script>"');
    expect(again.text).toContain('value="nobody"');
    expect(again.text).toContain("Enter an email address, such as name@example.com.");
    expect(again.text).not.toContain("Enter your name");
    expect(again.text).not.toContain("<script>");
    const empty = await give(reference, "name=&email=ada%40example.com");
    expect([empty.status, empty.text.includes("Enter your name")]).toEqual([400, true]);
  });

  test("who submits second with another name is redirected to the account", async () => {
    const { reference } = await aKnownSession({ detailsRequired: true });
    await give(reference, "name=Ada+Obi&email=ada%40example.com");
    expect((await give(reference, "name=Chidi&email=ada%40example.com")).status).toBe(303);
  });

  test("who comes too late sees that, and gets no form", async () => {
    const text = await read({ detailsRequired: true, status: "expired" });
    expect(text).toContain("The time for this payment is up");
    expect(text).not.toContain("Who is paying?");
  });
});

describe("outcomes", () => {
  test("paid: amount, time, reference and the return link; no reload", async () => {
    const session = await aKnownSession({ ...paid(aSession()), paidAt: "2026-11-21T13:32:00.000+00:00" });
    const { text } = await showPage(session.reference);
    expect(words(text)).toContain(`Paid Amount ₦2,500.73 Time 21 November 2026, 14:32 Reference ${session.reference}`);
    const link = `https://shop.example/done?order=1001&amp;reference=${session.reference}#top`;
    expect(text).toContain(`href="${link}"`);
    expect(words(text)).toContain("Return to Ada Stores");
    expect(refreshOf(text)).toBe(undefined);
    const without = await read({ ...paid(aSession()), redirectUrl: null });
    expect(without).toContain("Ada Stores has been told. You can close this page.");
  });

  test("paid late: the same as paid, with one line", async () => {
    expect(await read({ ...paid(aSession()), status: "paid_late" })).toContain("counts all the same");
  });

  test("overpaid: the amount received, and the excess", async () => {
    const text = await read({ ...paid(aSession()), status: "overpaid", amountReceived: 300_000n });
    expect(text).toContain("₦3,000.00 arrived, ₦499.27 more than was asked. Ada Stores has been told");
  });

  test("underpaid: the missing amount and the account, until the watch window ends", async () => {
    const given = { status: "underpaid", amountReceived: 240_000n } as const;
    const open = await read(given);
    expect(open).toContain("₦2,400.00 arrived, ₦100.73 is missing. What arrived is safe.");
    expect(open).toContain("Send exactly ₦100.73");
    expect(open).toContain("Test Bank");
    const late = await read({ ...given, watchUntil: inMinutes(-1) });
    expect(late).toContain("The time to send the rest is up.");
    expect(late).not.toContain("Test Bank");
  });

  test("expired: not to send again, and that nothing is lost", async () => {
    const text = await read({ status: "expired" });
    expect(text).toContain(
      "If you have already sent it, don't send again: it will still be credited and Ada Stores will be told.",
    );
    expect(text).not.toContain("6789");
  });
});
