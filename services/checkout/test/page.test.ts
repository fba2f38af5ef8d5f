import { describe, expect, test } from "vitest";
import { aSession, call, EAGER, FORM, inMinutes, paid, words } from "./checkout.ts";
import { NOTHING_KEPT } from "./fake-services.ts";
import { useCheckout } from "./world.ts";

const { checkout, aKnownSession, showPage } = await useCheckout({ refresh: EAGER });

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
      'aria-current="step">Pay<',
      "Send exactly</h2>",
      '₦2,500<span class="kobo">.73</span>',
      "Include the .73: a different amount can't be matched automatically.",
      "Test Bank",
      "<span>012</span><span>345</span><span>6789</span>",
      "Ada Stores / Collections",
      "This amount is held for you until",
      `<time datetime="${session.expiresAt}"`,
      ">12\u00a0min<",
      "After you send it</h2>",
      "I've sent the money",
      "Partner bank: <bdi>Test Bank</bdi>",
      "This page never asks for a card, a PIN, an OTP or a password.",
    ];
    const positions = order.map((part, index) =>
      text.indexOf(part, index === 0 ? 0 : text.indexOf(order[index - 1] ?? "")),
    );
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    expect(positions).not.toContain(-1);
    expect(text).toMatch(/^<!doctype html><html lang="en">/);
  });

  test("shows no amount but the exact one, and what copies it copies banks' format", async () => {
    const { text } = await showPage((await aKnownSession()).reference);
    expect(text).not.toContain("2,500.00");
    expect(text).toContain('data-copy="2500.73"');
    const all =
      "Amount: ₦2,500.73\nBank: Test Bank\nAccount number: 0123456789\nAccount name: Ada Stores / Collections";
    expect(text).toContain(`data-copy="${all}"`);
  });

  test("shows Lagos time, and the exact day on hover", async () => {
    const expiresAt = "2099-11-21T13:32:00.000+00:00";
    const { text } = await showPage((await aKnownSession({ expiresAt })).reference);
    expect(text).toContain(`<time datetime="${expiresAt}" title="21 November 2099, 14:32">14:32</time> Lagos time`);
  });

  test("names test mode, and does not mention live mode", async () => {
    expect(await read({})).toContain("Test mode: no real money moves.");
    expect(await read({ merchant: { id: "mer_live", mode: "live" } })).not.toContain("Test mode");
  });

  test("a moment after its end it says so and still shows the account", async () => {
    const text = await read({ expiresAt: inMinutes(-1) });
    expect(text).toMatch(/This amount was held for you until \d\d:\d\d Lagos time\./);
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
  expect(text).toContain('aria-current="step">Checking<');
  expect(text).toMatch(/Waiting for <span data-since="[^"]+">0:0\d<\/span>/);
  expect(text).toMatch(/<details class="checks" data-from="[^"]+">/);
  expect(text).toContain(`<noscript><p><a class="link" href="/pay/${reference}">Check again</a></p></noscript>`);
});

test("two minutes after it was sent: how long it is, and four things to check, to be read in peace", async () => {
  const sentAt = inMinutes(-2.1);
  const { reference } = await aKnownSession({ status: "processing", kept: { ...NOTHING_KEPT, sentAt } });
  const { text } = await showPage(reference);
  expect(words(text)).toMatch(/Waiting for 2:0\d/);
  expect(text).toContain('<details class="checks" open>');
  expect(words(text)).toContain("You sent exactly ₦2,500.73, with the .73.");
  expect(/<details.*<\/details>/s.exec(text)?.[0].match(/<li>/g)).toHaveLength(4);
  expect(refreshOf(text)).toBe("30");
});

describe("an anonymous payer", () => {
  const give = (reference: string, body: string, type = FORM) =>
    call(checkout, "POST", `/pay/${reference}/details`, { body, type });

  test("is asked for details first, sees no account, and never loses input to a reload", async () => {
    const { reference } = await aKnownSession({ detailsRequired: true });
    const { text } = await showPage(reference);
    expect(words(text)).toContain(
      "Ada Stores needs your name and email to know who paid, and to reach you. Next, you see the account to pay into.",
    );
    expect(text).toContain(`action="/pay/${reference}/details"`);
    expect([refreshOf(text), text.includes("6789"), text.includes("Test Bank")]).toEqual([undefined, false, false]);
    expect(text).toContain("₦2,500.73");
    expect(text).not.toContain("exact:");
  });

  test("whose session has no exact amount yet is told before that it will get one", async () => {
    const text = await read({ detailsRequired: true, hasAccount: false, amount: 250_000n });
    expect(text).toContain("₦2,500.00 We will make the amount exact: we add 1 to 99 kobo");
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
    expect(empty.text).toContain("<title>Check what you typed: Pay Ada Stores</title>");
  });

  test("who submits second with another name is redirected to the account", async () => {
    const { reference } = await aKnownSession({ detailsRequired: true });
    await give(reference, "name=Ada+Obi&email=ada%40example.com");
    expect((await give(reference, "name=Chidi&email=ada%40example.com")).status).toBe(303);
  });

  test("who comes too late sees that, and gets no form", async () => {
    const isOver = { expiresAt: inMinutes(-1) };
    for (const late of [{ status: "expired" as const }, isOver, { ...isOver, hasAccount: false }]) {
      const text = await read({ detailsRequired: true, ...late });
      expect(text).toContain("The time for this payment is up");
      expect(text).not.toContain("needs your name and email");
    }
    expect(await read({ detailsRequired: true, status: "paid", ...isOver })).not.toContain("The time for this payment");
  });
});

describe("outcomes", () => {
  test("paid: amount, time, reference and the return link; no reload", async () => {
    const session = await aKnownSession({ ...paid(aSession()), paidAt: "2026-11-21T13:32:00.000+00:00" });
    const { text } = await showPage(session.reference);
    expect(words(text)).toContain(
      `Paid Amount ₦2,500.73 Paid to Ada Stores For Order 1001 Time 21 November 2026, 14:32, Lagos time Reference ${session.reference}`,
    );
    const link = `https://shop.example/done?order=1001&amp;reference=${session.reference}#top`;
    expect(text).toContain(`href="${link}"`);
    expect(words(text)).toContain("Return to Ada Stores");
    expect(refreshOf(text)).toBe(undefined);
    const without = await read({ ...paid(aSession()), redirectUrl: null });
    expect(without).toContain("Ada Stores knows. You can close this page.");
  });

  test("paid late: the same as paid, with one line", async () => {
    expect(await read({ ...paid(aSession()), status: "paid_late" })).toContain("It still counts");
  });

  test("overpaid: the amount received, and the excess", async () => {
    const text = await read({ ...paid(aSession()), status: "overpaid", amountReceived: 300_000n });
    expect(text).toContain("To pay ₦2,500.73 Arrived ₦3,000.00 Too much ₦499.27 Ada Stores knows.");
    expect(text.match(/₦/g)).toHaveLength(3);
  });

  test("overpaid without a return URL: to ask the merchant, said once, and not to close the page", async () => {
    const text = await read({ ...paid(aSession()), status: "overpaid", amountReceived: 300_000n, redirectUrl: null });
    expect(text.match(/Ada Stores knows/g)).toHaveLength(1);
    expect(text).toContain("Ask them about the difference.");
    expect(text).not.toContain("You can close this page");
  });

  test.each(["paid", "paid_late"] as const)("%s and sent a second time: the same", async (status) => {
    const session = await aKnownSession({ ...paid(aSession()), status, amountReceived: 500_146n });
    const { text } = await showPage(session.reference);
    expect(words(text)).toContain("To pay ₦2,500.73 Arrived ₦5,001.46 Too much ₦2,500.73 Ada Stores knows.");
    expect(words(text).match(/₦/g)).toHaveLength(3);
    expect(text).toContain('data-announcement="Paid. ₦5,001.46 arrived. You sent ₦2,500.73 too much."');
  });

  test("underpaid: the missing amount and the account, until the watch window ends", async () => {
    const kept = { ...NOTHING_KEPT, customerReference: "cust_1" };
    const given = { status: "underpaid", amountReceived: 240_000n, kept } as const;
    const open = await read(given);
    expect(open).toContain("To pay ₦2,500.73 Arrived ₦2,400.00 Missing ₦100.73 What arrived is safe.");
    expect(open).toContain("Send the rest, exactly ₦100.73");
    expect(open).toContain("Test Bank");
    expect(open).toMatch(/You can send the rest until \d+ \w+ \d{4}, \d\d:\d\d Lagos time\b/);
    const late = await read({ ...given, watchUntil: inMinutes(-1) });
    expect(late).toContain("To pay ₦2,500.73 Arrived ₦2,400.00 Missing ₦100.73 The time to send the rest is up.");
    expect(late).not.toContain("6789");
    const shared = await read({ ...given, kept: NOTHING_KEPT });
    expect(shared).toContain("Don't send the rest to this account: it can't be matched there.");
    expect(shared).not.toContain("6789");
  });

  test.each(["paid", "paid_late", "underpaid"] as const)(
    "%s, and taken back by the bank: what is left, and not to send it again; no account, no receipt",
    async (status) => {
      const kept = { ...NOTHING_KEPT, customerReference: "cust_1" };
      const amounts = { amountReceived: 240_000n, amountReversed: 100_000n };
      const session = await aKnownSession({ ...paid(aSession()), status, kept, ...amounts });
      const { text } = await showPage(session.reference);
      expect(words(text)).toContain("The bank took money back Arrived ₦2,400.00 Taken back ₦1,000.00 Left ₦1,400.00");
      expect(words(text)).toContain("Don't send it again: ask your bank where it is, and Ada Stores what to do next.");
      expect(words(text)).not.toMatch(/6789|Send the rest|Save receipt/);
      expect((await call(checkout, "GET", `/pay/${session.reference}/receipt`)).status).toBe(404);
      const { body } = await call(checkout, "GET", `/checkout/${session.reference}`);
      expect(body).toMatchObject({ status, amount_received: 2_400, amount_reversed: 1_000 });
    },
  );

  test("expired: not to send again, and that nothing is lost", async () => {
    const text = await read({ status: "expired" });
    expect(text).toContain(
      "If you have already sent it, don't send again: it will still be credited and Ada Stores will be told.",
    );
    expect(text).not.toContain("6789");
  });
});
