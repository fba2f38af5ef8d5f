import { until } from "@collect/testing";
import { describe, expect, test } from "vitest";
import { aReference, aSession, call, EAGER, FORM, paid, withoutNonce, words } from "./checkout.ts";
import { useCheckout } from "./world.ts";

const { world, fakes, checkout, aKnownSession, showPage } = await useCheckout({ refresh: EAGER });

describe("text from merchants is escaped", () => {
  const evil = '<script>alert("x")</script><img src=x onerror=alert(1)>&amp;';

  test.each(["pending", "processing", "paid", "underpaid", "overpaid", "expired", "paid_late"] as const)(
    "in %s",
    async (status) => {
      const { reference } = await aKnownSession({
        status,
        merchantName: evil,
        description: evil,
        accountName: evil,
        bankName: evil,
        amountReceived: 1n,
      });
      const { text } = await showPage(reference);
      expect(text).not.toMatch(/<(script>|img src=x)/);
      expect(text).toContain("&lt;script>alert(&quot;x&quot;)&lt;/script>");
      expect(text).toContain("&amp;amp;");
    },
  );

  test("on the form, too", async () => {
    const { reference } = await aKnownSession({ detailsRequired: true, merchantName: evil, description: evil });
    expect((await showPage(reference)).text).not.toMatch(/<(script>|img src=x)/);
  });

  test("a URL that is not https does not become a link", async () => {
    const { reference } = await aKnownSession({ ...paid(aSession()), redirectUrl: "javascript:alert(1)" });
    expect((await showPage(reference)).text).not.toContain("javascript:");
  });
});

describe("every page", () => {
  test("runs only our scripts, loads nothing from other origins, and cannot be framed, cached or leaked to others as a referrer", async () => {
    const { reference } = await aKnownSession();
    const paths = [`/pay/${reference}`, `/pay/${reference}`, `/pay/${aReference()}`, "/pay/x", "/l/x", "/l/%zz"];
    const nonces = new Set<string>();
    for (const path of paths) {
      const { headers, text } = await call(checkout, "GET", path);
      const policy = headers.get("content-security-policy") ?? "";
      const nonce = /script-src 'nonce-([\w-]{22})'/.exec(policy)?.[1] ?? "";
      nonces.add(nonce);
      expect(policy.split(";").toSorted()).toEqual([
        "base-uri 'none'",
        "connect-src 'self'",
        "default-src 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "img-src 'self'",
        "require-trusted-types-for 'script'",
        `script-src 'nonce-${nonce}'`,
        `style-src 'nonce-${nonce}'`,
        "trusted-types card",
      ]);
      expect(headers.get("referrer-policy")).toBe("same-origin");
      expect(headers.get("cache-control")).toBe("no-store");
      const ours = [
        ...text.matchAll(
          /<script type="module" nonce="([^"]+)" src="\/assets\/(?:acts|clock|page)\.js\?v=\w+"><\/script>/g,
        ),
        ...text.matchAll(/<style nonce="([^"]+)">[^<]+<\/style>/g),
      ];
      expect(ours.map(([, given]) => given)).toEqual([nonce, nonce, nonce, nonce]);
      const rest = ours.reduce((left, [tag]) => left.replace(tag, ""), text);
      expect(rest).not.toMatch(/<script|<style|stylesheet| style=| on\w+=|nonce/);
      expect(text).not.toMatch(/(src|<link[^>]* href)="(https?:)?\/\//);
    }
    expect(nonces.size).toBe(paths.length);
  });

  test("a response that is not a page may do nothing if it is opened as one", async () => {
    const { reference } = await aKnownSession();
    for (const path of [`/checkout/${reference}`, "/checkout.js", "/nothing"]) {
      const { headers } = await call(checkout, "GET", path);
      const policy = headers.get("content-security-policy")?.split(";").toSorted();
      expect(policy, path).toEqual([
        "base-uri 'none'",
        "default-src 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ]);
    }
  });

  test("of a session may keep its opener, and no other page may", async () => {
    const { reference } = await aKnownSession();
    const opener = async (path: string) =>
      (await call(checkout, "GET", path)).headers.get("cross-origin-opener-policy");
    expect(await opener(`/pay/${reference}`)).toBe("unsafe-none");
    expect(await opener("/l/x")).toBe("same-origin");
  });
});

describe("when there is nothing to show", () => {
  test("unknown, malformed and other paths get the same neutral page", async () => {
    const unknown = await showPage(aReference());
    expect(unknown.status).toBe(404);
    expect(words(unknown.text)).toContain("We can't find this payment");
    for (const path of ["x", "%zz", `${aReference()}/elsewhere`, "", `pay_${"0".repeat(22)}`]) {
      const other = await showPage(path);
      expect([other.status, withoutNonce(other)], path).toEqual([404, withoutNonce(unknown)]);
    }
    const sent = await call(checkout, "POST", `/pay/${aReference()}/sent`, { body: "", type: FORM });
    expect([sent.status, withoutNonce(sent)]).toEqual([404, withoutNonce(unknown)]);
  });

  test("an unreadable body changes nothing and returns an error page", async () => {
    const { reference } = await aKnownSession({ detailsRequired: true });
    for (const [body, type, status] of [
      ["{", "application/json", 400],
      [`name=${"x".repeat(40_000)}`, FORM, 413],
      ["<a/>", "text/xml", 415],
    ] as const) {
      const refused = await call(checkout, "POST", `/pay/${reference}/details`, { body, type });
      expect([refused.status, refused.headers.get("content-type")]).toEqual([status, "text/html; charset=utf-8"]);
      expect(words(refused.text)).toContain("That didn't work");
    }
    expect((await showPage(reference)).text).toContain("Who is paying?");
  });

  test("another method is not allowed", async () => {
    for (const [method, path, allow] of [
      ["POST", "/pay/REF", "GET, HEAD"],
      ["POST", "/pay/REF/live", "GET, HEAD"],
      ["GET", "/pay/REF/sent", "POST"],
      ["GET", "/pay/REF/details", "POST"],
      ["POST", "/pay/REF/receipt", "GET, HEAD"],
      ["POST", "/pay/REF/code.svg", "GET, HEAD"],
      ["POST", "/assets/page.js", "GET, HEAD"],
    ] as const) {
      const refused = await call(checkout, method, path.replace("REF", aReference()));
      expect([refused.status, refused.headers.get("allow")]).toEqual([405, allow]);
    }
  });

  test("while payments is down the page says that the money is safe, and recovers afterwards", async () => {
    const session = aSession();
    await fakes.stop();
    const down = await showPage(session.reference);
    expect(down.status).toBe(503);
    expect(words(down.text)).toContain("If you have already sent money, it is safe");
    await fakes.restart();
    fakes.addSessions(session);
    await until("back", async () => (await showPage(session.reference)).status === 200);
  });
});

test("an internal error reveals no details and says that the money is safe", async () => {
  const session = await aKnownSession();
  await world.owner.query("alter table session_views rename to away");
  const failed = await showPage(session.reference);
  expect(failed.status).toBe(500);
  expect(words(failed.text)).toContain("We can't show this payment right now");
  expect(failed.text).not.toContain("session_views");
  await world.owner.query("alter table away rename to session_views");
  expect((await showPage(session.reference)).status).toBe(200);
});
