import { type MemberRole, readCollections, rollKey, showMerchant } from "@collect/contracts";
import { openMailbox, useWorld, type World } from "@collect/testing";
import { afterAll, beforeEach } from "vitest";
import { aMember, DIRECTORY, startDashboard } from "./dashboard.ts";
import { playOthers } from "./others.ts";

export type Member = Awaited<ReturnType<typeof aMember>>;

export const useDashboardWorld = () => useWorld({ service: "dashboard", directory: DIRECTORY });

/** One replica of the dashboard with the other services faked, for the whole test file. */
export async function useDashboard() {
  const world = await useDashboardWorld();
  const others = await playOthers(world);
  afterAll(others.stop);
  const dashboard = await startDashboard(world);
  afterAll(dashboard.stop);
  return { world, dashboard, others };
}

/** A dashboard that sends mail, to a server that keeps it; its gateway knows every merchant. */
export async function useMail(environment: Record<string, string> = {}) {
  const world = await useDashboardWorld();
  const others = await playOthers(world);
  others.knowMerchants();
  const mailbox = await openMailbox();
  const dashboard = await startDashboard(world, { SMTP_URL: mailbox.url, ...environment });
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= dashboard.stop();
    return stopping;
  };
  afterAll(async () => {
    await stop();
    await mailbox.close();
    await others.stop();
  });
  return { world, dashboard, others, mailbox, stop };
}

/** A dashboard whose gateway knows every merchant that it is asked for. */
export async function useKnownMerchants() {
  const used = await useDashboard();
  used.others.knowMerchants();
  return used;
}

/** The same, with teams of one owner. */
export async function useTeams() {
  const used = await useKnownMerchants();
  let team = 0;
  const aTeam = async () => {
    const merchantId = `mer_team${++team}`;
    const owner = await aMember(used.world, used.dashboard, { merchantId, role: "owner" });
    return { merchantId, owner, base: `/api/m/${merchantId}/test` };
  };
  return { ...used, aTeam };
}

/** The role of each member of a merchant's team, by user id. */
export async function rolesIn(world: World, merchantId: string): Promise<Record<string, string>> {
  const { rows } = await world.owner.query("select user_id, role from members where merchant_id = $1", [merchantId]);
  return Object.fromEntries(rows.map(({ user_id, role }) => [user_id, role]));
}

export const MERCHANT = "mer_tested";

/** A member of the merchant in each role, and the owner of another; what the other services are asked is noted test by test. */
export async function usePeople() {
  const used = await useDashboard();
  const { world, dashboard, others } = used;
  others.reply(readCollections, () => ({ collections: [] }));
  others.reply(showMerchant, ({ merchant_id }) => ({
    merchant_id,
    name: "Ada Stores",
    verified_at: null,
    suspension: null,
    rate_limits: { accounts: 300, reads: 600 },
    keys: [],
    created_at: "2026-11-21T10:00:00.000+00:00",
  }));
  others.reply(rollKey, ({ mode, kind }) => ({
    key: `${kind === "secret" ? "sk" : "pk"}_${mode}_rolled`,
    old_keys_expire_at: "2026-11-21T10:00:00.000+00:00",
  }));
  const inRole = (role: MemberRole) => aMember(world, dashboard, { merchantId: MERCHANT, role });
  const people: Record<MemberRole | "stranger", Member> = {
    owner: await inRole("owner"),
    finance: await inRole("finance"),
    developer: await inRole("developer"),
    support: await inRole("support"),
    viewer: await inRole("viewer"),
    stranger: await aMember(world, dashboard, { merchantId: "mer_other", role: "owner" }),
  };
  beforeEach(() => {
    others.asked.length = 0;
  });
  return { ...used, people };
}
