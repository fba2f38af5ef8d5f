import { readdir } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser, openPage, type Watched } from "../stack/browser.ts";
import { client } from "../stack/client.ts";
import { aMember, cookiesFor } from "../stack/person.ts";
import { compareOnce, differenceFromPicture, isRecording, PICTURES, useTestFont } from "../stack/pictures.ts";
import { startStack } from "../stack.ts";

/**
 * The main pages look as they were recorded: `npm run screenshots` records them again after a change that is meant. They are
 * kept in `pictures`, where a change is seen in review.
 */

const stack = await startStack();
let browser: Browser;
let pages: Record<string, { url: string; shows: string }>;
let cookies: ReturnType<typeof cookiesFor>;

const LOOKS = [
  { width: 390, colorScheme: "light" },
  { width: 820, colorScheme: "light" },
  { width: 1_280, colorScheme: "light" },
  { width: 1_280, colorScheme: "dark" },
] as const;
type Look = (typeof LOOKS)[number];
/** In the dark only these: the colors come from tokens that all pages share. */
const ALSO_DARK = ["checkout-pay", "checkout-paid", "home", "collection"];
const isTaken = (name: string, { colorScheme }: Look) => colorScheme === "light" || ALSO_DARK.includes(name);
const pictureOf = (name: string, { width, colorScheme }: Look) => `${name}-${width}-${colorScheme}`;

beforeAll(async () => {
  browser = await launchBrowser();
  const payments = await checkouts();
  const { id, reference } = await aShop();
  const ngozi = await aMember(stack, id, "owner");
  cookies = cookiesFor(stack, ngozi);
  const home = `${stack.dashboardUrl}/m/${id}/test`;
  pages = {
    ...payments,
    home: { url: home, shows: "₦2,500.00" },
    collections: { url: `${home}/collections`, shows: "₦999,999,999.99" },
    collection: { url: `${home}/collections/${reference}`, shows: "Delivered on attempt 1" },
    inbox: { url: `${home}/inbox`, shows: "Underpaid" },
    developers: { url: `${home}/developers/keys`, shows: "Restricted keys" },
    "sign-in": { url: `${stack.dashboardUrl}/sign-in`, shows: "Sign in" },
  };
});
afterAll(async () => {
  await browser.close();
  await stack.stop();
});

/** Each state of a payment. */
async function checkouts() {
  const { keys } = await stack.createMerchant({ name: "Ada Stores" });
  const api = client(stack.baseUrl, keys.sk_test);
  const order = { amount: 2_500, description: "Two bags of rice", redirect_url: "https://shop.example/thanks" };
  const states = {
    pay: "Send exactly",
    checking: "Looking for your transfer…",
    paid: "Return to Ada Stores",
    underpaid: "Send the rest, exactly",
    expired: "The time for this payment is up",
  };
  return Object.fromEntries(
    await Promise.all(
      Object.entries(states).map(async ([state, shows]) => {
        const customer = { customer_reference: `cust_${state}`, customer_name: "Ada Obi" };
        const { reference, checkout_url } = (await api.post("/payments", { ...order, ...customer })).body;
        if (state === "checking") await fetch(`${checkout_url}/sent`, { method: "POST" });
        else if (state !== "pay") await api.post("/sandbox/pay", { outcome: state, payment_reference: reference });
        return [`checkout-${state}`, { url: String(checkout_url), shows }];
      }),
    ),
  );
}

/** A business with some collections and something in its inbox. */
async function aShop() {
  const merchant = await stack.createMerchant({ name: "Ada Stores" });
  const api = client(stack.baseUrl, merchant.keys.sk_test);
  const send = async (customer_reference: string, customer_name: string, amount: number) => {
    await api.post("/customer_accounts", { customer_reference, customer_name });
    const account = `/customer_accounts/${customer_reference}`;
    const { body } = await api.post(`${account}/simulate_payment`, { outcome: "paid", amount });
    return String(body.reference);
  };
  const { body } = await api.post("/payments", { amount: 10_000, customer_reference: "c", customer_name: "Bola Ige" });
  await api.post("/sandbox/pay", { outcome: "underpaid", payment_reference: body.reference });
  await send("cust_1", "Oluwaseun Adebayo-Ogunleye of Ibadan and Abeokuta", 999_999_999.99);
  await send("cust_2", "Ada Obi", 15_000);
  const reference = await send("cust_3", "Chidi Okafor", 2_500);
  await merchant.untilReceived("test", 4);
  return { id: merchant.id, reference };
}

async function openIn({ width, colorScheme }: Look): Promise<Watched> {
  const viewport = { width, height: width === 1_280 ? 800 : 900 };
  const watched = await openPage(browser, { viewport, colorScheme, bypassCSP: true, deviceScaleFactor: 1 });
  await watched.page.context().addCookies(cookies);
  return watched;
}

async function show(page: Page, name: string): Promise<void> {
  const { url, shows } = pages[name] ?? { url: "", shows: "" };
  if (name === "sign-in") await page.context().clearCookies();
  await page.goto(url);
  await useTestFont(page);
  await page.getByText(shows).filter({ visible: true }).first().waitFor();
}

test.each(LOOKS)("every main page looks as recorded at $width px, $colorScheme", async (look) => {
  const { page, close } = await openIn(look);
  const differences: string[] = [];
  for (const name of Object.keys(pages).filter((each) => isTaken(each, look))) {
    await show(page, name);
    const difference = await differenceFromPicture(page, pictureOf(name, look));
    if (difference) differences.push(difference);
  }
  await close();
  expect(differences).toEqual([]);
});

test("every recorded picture is compared", async () => {
  const expected = LOOKS.flatMap((look) =>
    Object.keys(pages).flatMap((name) => (isTaken(name, look) ? `${pictureOf(name, look)}.png` : [])),
  );
  expect((await readdir(PICTURES)).sort()).toEqual(expected.sort());
});

describe.skipIf(isRecording)("the comparison fails", () => {
  const [phone, , wide] = LOOKS;
  test.each([
    { name: "checkout-pay", look: phone, change: "a moved button", css: "button.main { translate: 4px }" },
    { name: "checkout-pay", look: phone, change: "another accent", css: ":root { --accent: #7a2fd0 !important }" },
    { name: "collections", look: wide, change: "a moved button", css: "main button { translate: 0 4px }" },
    { name: "collections", look: wide, change: "another accent", css: ":root { --accent: #7a2fd0 !important }" },
    { name: "home", look: wide, change: "a missing button", css: "main button { visibility: hidden }" },
  ])("for $change on $name", async ({ name, look, css }) => {
    const { page, close } = await openIn(look);
    await show(page, name);
    const picture = pictureOf(name, look);
    expect(await differenceFromPicture(page, picture)).toBeUndefined();
    await page.addStyleTag({ content: css });
    expect(await compareOnce(page, picture)).toMatchObject({ isDifferent: true });
    await close();
  });
});
