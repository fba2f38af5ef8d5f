import { expect, test } from "vitest";
import { addTeamNotices } from "../src/store/notices.ts";
import { aMember } from "./dashboard.ts";
import { useMail } from "./world.ts";

const { world, dashboard, mailbox } = await useMail();
const merchantId = "mer_choices";
const path = `/api/m/${merchantId}/test/mails`;

/** Noted for owners and developers. */
const note = (kind: "webhook_failing" | "webhook_recovered" | "payout_limits_changed") =>
  addTeamNotices(world.pool, [
    {
      key: `${kind}:1`,
      kind,
      merchant_id: merchantId,
      roles: ["owner", "developer"],
      detail: { at: "2026-11-22T09:30:00.000+00:00", host: "shop.example", failure: "HTTP 503", who: "Ada" },
    },
  ]);

test("who chose no mails about the webhook gets none until choosing them again, and still every other mail", async () => {
  const owner = await aMember(world, dashboard, { merchantId, role: "owner" });
  const developer = await aMember(world, dashboard, { merchantId, role: "developer" });
  const choose = async (webhook: unknown) => (await developer.post(path, { webhook })).body;
  expect((await developer.get(path)).body).toEqual({ webhook: true, reports: null });
  expect((await choose("no")).code).toBe("validation_failed");
  for (const _time of [1, 2]) expect(await choose(false)).toEqual({ webhook: false, reports: null });
  expect((await developer.get(path)).body).toEqual({ webhook: false, reports: null });
  expect((await owner.get(path)).body).toEqual({ webhook: true, reports: null });
  await note("webhook_failing");
  await note("payout_limits_changed");
  await mailbox.untilMailed(owner.email, "The webhook of Ada Stores is failing");
  await mailbox.untilMailed(developer.email, "Higher transfer limits were requested for Ada Stores");
  expect(await choose(true)).toEqual({ webhook: true, reports: null });
  await note("webhook_recovered");
  await mailbox.untilMailed(developer.email, "The webhook of Ada Stores works again");
  expect(mailbox.subjectsTo(developer.email)).not.toContain("The webhook of Ada Stores is failing");
});

test("a choice is the member's own in one business, and nobody else's", async () => {
  const member = await aMember(world, dashboard, { merchantId, role: "developer" });
  const stranger = await aMember(world, dashboard, { merchantId: "mer_elsewhere", role: "owner" });
  expect((await stranger.post(path, { webhook: false })).status).toBe(404);
  expect((await stranger.get(path)).status).toBe(404);
  expect((await member.post(path, { webhook: false, user_id: stranger.id })).body).toEqual({
    webhook: false,
    reports: null,
  });
  expect((await stranger.get("/api/m/mer_elsewhere/test/mails")).body).toEqual({ webhook: true, reports: null });
});
