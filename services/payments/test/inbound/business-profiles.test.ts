import { createHash } from "node:crypto";
import {
  getBusinessProfile,
  getLogo,
  NO_BRANDING,
  readSessions,
  setBusinessProfile,
  showPaymentLink,
  type WireInput,
} from "@collect/contracts";
import { randomId } from "@collect/testing";
import { expect, test } from "vitest";
import { businessProfileRequests } from "../../src/inbound/handlers/business-profiles.ts";
import { createLink } from "./links-world.ts";
import { aShop, createPayment, poolOf, type Shop, useSessions } from "./sessions-world.ts";

const world = await useSessions();

/** The smallest file that says it is a PNG of 64 × 64 pixels, made unique by what follows. */
const aLogo = (more = randomId("logo")) => {
  const header = Buffer.from("89504e470d0a1a0a0000000d49484452000000400000004008060000000000000049444154", "hex");
  return Buffer.concat([header, Buffer.from(more)]);
};
const pathOf = (logo: Buffer) => `/logos/${createHash("sha256").update(logo).digest("hex")}`;

const PROFILE = { color: "#0a7d5b", support_email: "help@ada.example", support_phone: "+234 801 234 5678" };
const set = (merchant: Shop, given: Partial<WireInput<typeof setBusinessProfile>> = {}) =>
  world.others.request(setBusinessProfile, { merchant_id: merchant.id, ...PROFILE, ...given });
const get = ({ id }: Shop) => world.others.request(getBusinessProfile, { merchant_id: id });
const logoAt = (path: string) => world.others.request(getLogo, { sha256: path.replace("/logos/", "") });

/** What a payer of the merchant's open session, and one who opens its link, is shown. */
async function openPages(merchant: Shop) {
  const { reference } = await createPayment(world, merchant);
  const { slug } = await createLink(world, merchant);
  return async () => {
    const { sessions } = await world.others.request(readSessions, { references: [reference] });
    const link = await world.others.request(showPaymentLink, { slug });
    return [sessions[0]?.branding, link.branding];
  };
}

test("a profile is shown on open sessions and links of both modes, and of no other merchant", async () => {
  const merchant = aShop();
  const pages = [await openPages(merchant), await openPages({ ...merchant, mode: "live" })];
  const others = await openPages(aShop());
  for (const shown of [...pages, others]) expect(await shown()).toEqual([NO_BRANDING, NO_BRANDING]);
  const logo = aLogo();
  const stored = await set(merchant, { logo: logo.toString("base64") });
  const branding = { ...PROFILE, logo: pathOf(logo) };
  expect(stored).toEqual({ ...branding, logo_image: { type: "image/png", data: logo.toString("base64") } });
  expect(await get(merchant)).toEqual(stored);
  for (const shown of pages) expect(await shown()).toEqual([branding, branding]);
  expect(await others()).toEqual([NO_BRANDING, NO_BRANDING]);
});

test("without a logo in it a change keeps the logo; null removes it, and then it is served no more", async () => {
  const merchant = aShop();
  const logo = aLogo();
  await set(merchant, { logo: logo.toString("base64") });
  const path = pathOf(logo);
  for (const _time of [1, 2])
    expect(await set(merchant, { color: "#FFFFFF", support_email: null })).toMatchObject({
      color: "#ffffff",
      support_email: null,
      support_phone: PROFILE.support_phone,
      logo: path,
    });
  expect(await logoAt(path)).toEqual({ type: "image/png", data: logo.toString("base64") });
  expect(await set(merchant, { logo: null })).toMatchObject({ logo: null, logo_image: null });
  await expect(logoAt(path)).rejects.toMatchObject({ code: "not_found" });
});

test("a logo that two merchants chose is served until neither has it", async () => {
  const [one, other] = [aShop(), aShop()];
  const logo = aLogo();
  for (const merchant of [one, other]) await set(merchant, { logo: logo.toString("base64") });
  await set(one, { logo: null });
  expect((await logoAt(pathOf(logo))).data).toBe(logo.toString("base64"));
  await set(other, { logo: aLogo().toString("base64") });
  await expect(logoAt(pathOf(logo))).rejects.toMatchObject({ code: "not_found" });
});

test("of concurrent changes one stands, whole", async () => {
  const merchant = aShop();
  const logos = Array.from({ length: 10 }, () => aLogo());
  await Promise.all(
    logos.map((logo, index) => set(merchant, { color: `#00000${index}`, logo: logo.toString("base64") })),
  );
  const { color, logo } = await get(merchant);
  const winner = logos[Number(color?.at(-1))];
  expect(logo).toBe(winner && pathOf(winner));
});

test("every invalid field is refused by name, and the profile stays as it was", async () => {
  const merchant = aShop();
  const before = await set(merchant, { logo: aLogo().toString("base64") });
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  const refused = [
    ["color", { color: "red;}body{display:none" }],
    ["color", { color: "#0a7d5b;" }],
    ["color", { color: "#fff" }],
    ["support_email", { support_email: "help" }],
    ["support_email", { support_email: `${"a".repeat(250)}@ada.example` }],
    ["support_phone", { support_phone: "javascript:alert(1)" }],
    ["support_phone", { support_phone: "12" }],
    ["logo", { logo: svg.toString("base64") }],
    ["logo", { logo: "not base64!" }],
    ["logo", { logo: "" }],
    ["logo", { logo: aLogo("x".repeat(65_536)).toString("base64") }],
  ] as const;
  for (const [param, fields] of refused)
    await expect(set(merchant, fields), JSON.stringify(fields).slice(0, 80)).rejects.toMatchObject({
      code: "validation_failed",
      errors: [{ param }],
    });
  expect(await get(merchant)).toEqual(before);
  await expect(world.others.request(getLogo, { sha256: "%" })).rejects.toMatchObject({ code: "validation_failed" });
});

test("a logo is read where lists are: whoever asks for many holds up no caller's request", async () => {
  const logo = aLogo();
  await set(aShop(), { logo: logo.toString("base64") });
  const busy = poolOf(world);
  await busy.end();
  const requests = businessProfileRequests({ pool: busy, lists: world.pool });
  const served = requests.find(({ contract }) => contract === getLogo);
  const context = { requestId: "req_1", actor: { kind: "anonymous" as const } };
  const found = await served?.answer({ sha256: pathOf(logo).replace("/logos/", "") }, context);
  expect(found).toEqual({ type: "image/png", data: logo.toString("base64") });
});

test("the largest logo travels both ways", async () => {
  const merchant = aShop();
  const logo = Buffer.concat([aLogo(""), Buffer.alloc(65_536 - aLogo("").length, 7)]);
  expect((await set(merchant, { logo: logo.toString("base64") })).logo).toBe(pathOf(logo));
  expect(Buffer.from((await logoAt(pathOf(logo))).data, "base64").equals(logo)).toBe(true);
});

test("the service cannot delete a profile, nor name a logo otherwise than by its bytes", async () => {
  await expect(world.pool.query("delete from business_profiles")).rejects.toThrow("permission denied");
  await expect(world.pool.query("update business_profiles set logo_sha256 = 'a'")).rejects.toThrow(
    "can only be updated to DEFAULT",
  );
});
