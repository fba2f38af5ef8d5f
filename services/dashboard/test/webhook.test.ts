import { getWebhookEndpoint, type MemberRole, readCollections, setWebhookEndpoint } from "@collect/contracts";
import type { World } from "@collect/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { aMember, type Dashboard, openDashboardWorld, startDashboard } from "./dashboard.ts";
import { type Others, playOthers } from "./others.ts";

let world: World;
let dashboard: Dashboard;
let others: Others;
let people: Record<MemberRole | "stranger", Awaited<ReturnType<typeof aMember>>>;
beforeAll(async () => {
  world = await openDashboardWorld();
  dashboard = await startDashboard(world);
  others = await playOthers(world);
  others.reply(readCollections, () => ({ collections: [] }));
  const [owner, developer, viewer] = await Promise.all(
    ROLES.map((role) => aMember(world, dashboard, { merchantId: MERCHANT, role })),
  );
  const stranger = await aMember(world, dashboard, { merchantId: "mer_other", role: "owner" });
  if (!owner || !developer || !viewer) throw new Error("a member is missing");
  people = { owner, developer, viewer, stranger };
});
afterAll(async () => {
  await dashboard.stop();
  others.stop();
  await world.close();
});
beforeEach(() => {
  others.asked.length = 0;
});

const MERCHANT = "mer_tested";

const ROLES: MemberRole[] = ["owner", "developer", "viewer"];

test("the webhook is shown without its secrets; they are revealed to a member who confirms, once it is set", async () => {
  const endpoint = {
    url: "https://shop.example/hook",
    secret: "whsec_abcdefgh1234",
    staged_secret: "whsec_staged",
    activates_at: "2026-11-22T09:30:00.000+00:00",
  };
  const base = `/api/m/${MERCHANT}/test/webhook`;
  others.refuse(getWebhookEndpoint, "not_found");
  expect((await people.viewer.get(base)).body).toEqual({
    url: null,
    has_secret: false,
    secret_ends: null,
    staged: false,
    activates_at: null,
  });
  expect((await people.owner.post(`${base}/reveal`)).body.code).toBe("conflict");
  others.refuse(getWebhookEndpoint, undefined);
  others.reply(getWebhookEndpoint, () => endpoint);
  others.reply(setWebhookEndpoint, () => endpoint);
  const masked = {
    url: endpoint.url,
    has_secret: true,
    secret_ends: "1234",
    staged: true,
    activates_at: endpoint.activates_at,
  };
  expect((await people.viewer.get(base)).body).toEqual(masked);
  expect((await people.developer.post(base, { url: endpoint.url })).body).toEqual(masked);
  const revealed = await people.developer.post(`${base}/reveal`);
  expect(revealed.body).toEqual({ secret: endpoint.secret, staged_secret: endpoint.staged_secret });
  expect((await people.viewer.post(`${base}/reveal`)).status).toBe(403);
});
