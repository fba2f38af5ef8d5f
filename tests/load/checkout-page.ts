import type { Browser } from "playwright-core";
import { launchBrowser } from "../stack/browser.ts";
import type { Stack } from "../stack.ts";
import { percentile } from "./driver.ts";
import { aBusyMerchant } from "./product.ts";

const LOADS = 10;
/** A cheap phone on a slow network: a quarter of this processor, 400 kbit/s and 400 ms to the server and back, the slow 3G profile of browsers' developer tools. */
const SLOW = { processor: 4, bytesPerSecond: 50_000, latencyMs: 400 };

export type PageFigures = {
  /** The bytes transferred on a first visit, headers included, compressed. */
  weightBytes: number;
  requests: number;
  /** First contentful paint, the median of several first visits. */
  firstPaintMs: { here: number; slowPhone: number };
};

/** The page of an open session as a payer loads it, with an empty browser cache. */
export async function measureCheckoutPage(stack: Stack): Promise<PageFigures> {
  const merchant = await aBusyMerchant(stack);
  const response = await fetch(`${stack.baseUrl}/payments`, {
    method: "POST",
    headers: { authorization: `Bearer ${merchant.keys.sk_test}`, "content-type": "application/json" },
    body: JSON.stringify({ amount: 2_500, description: "Order 1001", customer_name: "Ada Obi" }),
  });
  const { checkout_url: url } = (await response.json()) as { checkout_url: string };
  const browser = await launchBrowser();
  try {
    const here: Visit[] = [];
    const slow: Visit[] = [];
    for (let load = 0; load < LOADS; load++) {
      here.push(await visit(browser, url, false));
      slow.push(await visit(browser, url, true));
    }
    const paint = (visits: Visit[]) =>
      percentile(
        visits.map(({ firstPaintMs }) => firstPaintMs),
        0.5,
      );
    const { weightBytes = 0, requests = 0 } = here[0] ?? {};
    return { weightBytes, requests, firstPaintMs: { here: paint(here), slowPhone: paint(slow) } };
  } finally {
    await browser.close();
  }
}

type Visit = { weightBytes: number; requests: number; firstPaintMs: number };

async function visit(browser: Browser, url: string, isSlow: boolean): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  const tools = await context.newCDPSession(page);
  await tools.send("Network.enable");
  if (isSlow) {
    const { processor, bytesPerSecond, latencyMs } = SLOW;
    await tools.send("Emulation.setCPUThrottlingRate", { rate: processor });
    await tools.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: latencyMs,
      downloadThroughput: bytesPerSecond,
      uploadThroughput: bytesPerSecond,
    });
  }
  let weightBytes = 0;
  let requests = 0;
  tools.on("Network.loadingFinished", ({ encodedDataLength }) => {
    weightBytes += encodedDataLength;
    requests++;
  });
  await page.goto(url, { waitUntil: "load" });
  const firstPaintMs = await page.evaluate<number>(`new Promise((resolve) => {
    new PerformanceObserver((list) => {
      const [paint] = list.getEntriesByName("first-contentful-paint");
      if (paint) resolve(paint.startTime);
    }).observe({ type: "paint", buffered: true });
  })`);
  await context.close();
  return { weightBytes, requests, firstPaintMs };
}
