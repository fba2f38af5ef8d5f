import { until } from "@collect/testing";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { expect } from "vitest";
import type { Stack } from "../stack.ts";
import { openPage, type Watched } from "./browser.ts";
import { client } from "./client.ts";
import { expectFit } from "./fit.ts";

type Visit = BrowserContextOptions & { expected?: number[]; work(watched: Watched): Promise<void> };

/** Runs `work` on a page and asserts the invariants: no console errors, no policy reports, and the page fits. */
export async function visit(browser: Browser, url: string, { work, ...options }: Visit): Promise<void> {
  const watched = await openPage(browser, options);
  try {
    await watched.page.goto(url);
    await work(watched);
    if (options.javaScriptEnabled !== false) await expectFit(watched.page);
    expect(watched.faults).toEqual([]);
  } finally {
    await watched.close();
  }
}

/** The checkout learns of a payment a moment after the merchant, and then shows it to those who load its page. */
export function untilShown({ checkoutUrl }: Stack, { reference }: Record<string, unknown>, status: string) {
  return until(`the checkout shows ${status}`, async () => {
    const { body } = await client(checkoutUrl).get(`/checkout/${reference}`);
    return body.status === status;
  });
}
