import {
  browseCollections,
  browsePayments,
  browseTransfers,
  getVerification,
  getWebhookHealth,
} from "@collect/contracts";
import { expect, test } from "vitest";
import { AT, HEALTH, verification } from "./inbox-items.ts";
import { useTeams } from "./world.ts";

const { others, aTeam } = await useTeams();

test("a webhook that was paused after a restore is not one that is merely paused: its settings have to be looked at", async () => {
  for (const contract of [browseCollections, browsePayments, browseTransfers])
    others.reply(contract, () => ({ data: [], next: null }));
  others.reply(getVerification, () => verification("approved"));
  const { owner, base } = await aTeam();
  const hold = { state: "paused" as const, since: AT, waiting: 3, next_attempt_at: null, seconds_left: null };
  const itemOf = async (lost_change_at?: string | null) => {
    others.reply(getWebhookHealth, () => ({ ...HEALTH, hold: { ...hold, lost_change_at } }));
    return Object((await owner.get(`${base}/inbox/webhook`)).body).data;
  };
  expect(await itemOf(AT)).toMatchObject([{ reference: "unchecked", count: 3, at: AT }]);
  expect(await itemOf(null)).toMatchObject([{ reference: "paused" }]);
  // As a former release of webhooks answers.
  expect(await itemOf()).toMatchObject([{ reference: "paused" }]);
});
