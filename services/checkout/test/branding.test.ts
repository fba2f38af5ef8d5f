import { expect, test } from "vitest";
import { aLink, aSession, call, EAGER, publishSessions } from "./checkout.ts";
import { useCheckout } from "./world.ts";

/** How a merchant shows itself on the pages of its payments. */

const { world, fakes, checkout, aKnownSession, showPage } = await useCheckout({ refresh: EAGER });

const BRANDING = {
  color: "#ffcc00",
  logo: `/logos/${"a".repeat(64)}`,
  support_email: "help@ada.example",
  support_phone: "+234 801 234 5678",
};

function expectBranded(text: string) {
  expect(text).toContain(":root{--brand:#ffcc00;--on-brand:#000000;");
  expect(text).toContain(`<img class="mark" src="${BRANDING.logo}" alt`);
  expect(text).toContain('href="mailto:help@ada.example"');
  expect(text).toContain('href="tel:+2348012345678"');
}

test("mark, color and support contact are on the first page of a payment, on the card that replaces it, and on a link", async () => {
  const session = aSession();
  fakes.brandings.set(session.merchant.id, BRANDING);
  fakes.addSessions(session);
  await publishSessions(world, session);
  expectBranded((await showPage(session.reference)).text);
  const live = await fetch(`${checkout.url}/pay/${session.reference}/live?version=0`);
  const reader = live.body?.pipeThrough(new TextDecoderStream()).getReader();
  let card = "";
  while (!card.includes("</main>")) card += (await reader?.read())?.value;
  expect(card).toContain(BRANDING.logo);
  await reader?.cancel();
  const link = aLink({ branding: BRANDING });
  fakes.links.set(link.slug, link);
  expectBranded((await call(checkout, "GET", `/l/${link.slug}`)).text);
});

test("a merchant that has set nothing is known by its name's first letter", async () => {
  const { reference } = await aKnownSession({ merchantName: "\u{1F338} blossoms" });
  const { text } = await showPage(reference);
  expect(text).toContain('<span class="mark" aria-hidden="true">\u{1F338}</span>');
  expect(text).not.toMatch(/Questions|mailto:|tel:|:root\{--brand:#/);
});

test("one read serves all pages of a merchant that are opened at once", async () => {
  const { merchant } = aSession();
  const sessions = Array.from({ length: 20 }, () => aSession({ merchant }));
  fakes.brandings.set(merchant.id, BRANDING);
  fakes.addSessions(...sessions);
  await publishSessions(world, ...sessions);
  fakes.reads.length = 0;
  const pages = await Promise.all(sessions.map(({ reference }) => showPage(reference)));
  for (const { text } of pages) expectBranded(text);
  expect(fakes.reads.flatMap(({ references }) => references)).toHaveLength(1);
});

test("the payment is shown without them while payments cannot be asked", async () => {
  const session = aSession();
  await publishSessions(world, session);
  await fakes.stop();
  const { status, text } = await showPage(session.reference);
  expect([status, text.includes("6789")]).toEqual([200, true]);
  await fakes.restart();
});
