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

const STATES = {
  pay: "Send exactly",
  checking: "Looking for your transfer…",
  paid: "Return to Ada Stores",
  underpaid: "Send the rest, exactly",
  expired: "The time for this payment is up",
};
const NAMES = [
  ...Object.keys(STATES).map((state) => `checkout-${state}`),
  ...["home", "collections", "collection", "inbox", "developers", "sign-in"],
];
const LOOKS = [
  { width: 390, height: 900, colorScheme: "light" },
  { width: 820, height: 900, colorScheme: "light" },
  { width: 1_280, height: 800, colorScheme: "light" },
  { width: 1_280, height: 800, colorScheme: "dark" },
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
  return Object.fromEntries(
    await Promise.all(
      Object.entries(STATES).map(async ([state, shows]) => {
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

async function show(name: string): Promise<Watched> {
  const { url, shows } = pages[name] ?? { url: "", shows: "" };
  const watched = await openPage(browser, { viewport: LOOKS[0], bypassCSP: true });
  const { page } = watched;
  if (name !== "sign-in") await page.context().addCookies(cookies);
  await page.goto(url);
  await useTestFont(page);
  await page.getByText(shows).filter({ visible: true }).first().waitFor();
  return watched;
}

async function turnTo(page: Page, { width, height, colorScheme }: Look): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme });
}

test.each(NAMES)("%s looks as recorded at every width, light and dark", async (name) => {
  const { page, close } = await show(name);
  const differences: string[] = [];
  for (const look of LOOKS.filter((each) => isTaken(name, each))) {
    await turnTo(page, look);
    const difference = await differenceFromPicture(page, pictureOf(name, look));
    if (difference) differences.push(difference);
  }
  await close();
  expect(differences).toEqual([]);
});

test("every recorded picture is compared", async () => {
  const expected = NAMES.flatMap((name) =>
    LOOKS.filter((look) => isTaken(name, look)).map((look) => `${pictureOf(name, look)}.png`),
  );
  expect((await readdir(PICTURES)).sort()).toEqual(expected.sort());
});

describe.skipIf(isRecording)("the comparison fails", () => {
  const [phone, , wide] = LOOKS;
  test.each([
    { change: "a moved button", name: "checkout-pay", look: phone, css: ".button { translate: 4px }" },
    { change: "another accent", name: "checkout-pay", look: phone, css: ":root { --accent: #7a2fd0 !important }" },
    { change: "a moved button", name: "collections", look: wide, css: "main button { translate: 0 4px }" },
    { change: "another accent", name: "collections", look: wide, css: ":root { --accent: #7a2fd0 !important }" },
  ])("for $change on $name", async ({ name, look, css }) => {
    const { page, close } = await show(name);
    await turnTo(page, look);
    const picture = pictureOf(name, look);
    expect(await differenceFromPicture(page, picture)).toBeUndefined();
    await page.addStyleTag({ content: css });
    expect(await compareOnce(page, picture)).toMatchObject({ isDifferent: true });
    await close();
  });
});
