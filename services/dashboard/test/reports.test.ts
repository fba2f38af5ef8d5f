import { transaction } from "@collect/database";
import { beforeEach, expect, test } from "vitest";
import { lastReported } from "../src/domain/report-schedule.ts";
import { queueDueReports } from "../src/workers/reports.ts";
import { aMember } from "./dashboard.ts";
import { type Member, useMail } from "./world.ts";

// The worker of this dashboard looks every minute; the tests take its steps themselves.
const { world, dashboard, mailbox } = await useMail();
let teams = 0;
const MONTH = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "Africa/Lagos" });

async function aBusiness() {
  const merchantId = `mer_reports${++teams}`;
  const finance = await aMember(world, dashboard, { merchantId, role: "finance" });
  await world.owner.query("update businesses set verified_at = now() where id = $1", [merchantId]);
  return { merchantId, finance };
}

const choose = (member: Member, merchantId: string, choice: object) =>
  member.post(`/api/m/${merchantId}/test/mails`, choice);

/** As if the last period had ended just now. */
const fallDue = (merchantId: string, role?: string) =>
  world.owner.query(
    "update members set report_due_at = now() - interval '1 second', role = coalesce($2, role) where merchant_id = $1 and report_every is not null",
    [merchantId, role],
  );
const step = () => transaction(world.pool, queueDueReports);
const reportsTo = async ({ email }: Member) => {
  const { rows } = await world.owner.query("select detail from mails where recipient = $1 and kind = 'report'", [
    email,
  ]);
  return rows.map(({ detail }) => detail);
};

beforeEach(() => world.owner.query("update members set report_every = null, report_due_at = null"));

test("who chose it is mailed once that the last month is ready, with a link to where it is", async () => {
  const { merchantId, finance } = await aBusiness();
  expect((await choose(finance, merchantId, { reports: "monthly" })).body).toEqual({
    webhook: true,
    reports: "monthly",
  });
  expect(await step()).toBe(0);
  await fallDue(merchantId);
  expect((await Promise.all([step(), step(), step()])).toSorted()).toEqual([0, 0, 1]);
  const month = lastReported("monthly", new Date());
  const [mail, ...others] = await mailbox.untilMailed(
    finance.email,
    `Statement for ${MONTH.format(month.from)} of Ada Stores`,
  );
  expect(others).toEqual([]);
  expect(mail?.text).toMatch(new RegExp(`/m/${merchantId}/live/statements\\?month=\\d{4}-\\d\\d\n`));
  await fallDue(merchantId);
  expect(await step()).toBe(1);
  expect(await reportsTo(finance)).toHaveLength(1);
});

test("a replica that dies while it queues a report neither loses nor repeats it", async () => {
  const { merchantId, finance } = await aBusiness();
  await choose(finance, merchantId, { reports: "weekly" });
  await fallDue(merchantId);
  const dying = transaction(world.pool, async (tx) => {
    await queueDueReports(tx);
    throw new Error("the process died");
  });
  await expect(dying).rejects.toThrow("the process died");
  expect(await reportsTo(finance)).toEqual([]);
  expect([await step(), await step()]).toEqual([1, 0]);
  const week = lastReported("weekly", new Date());
  expect((await reportsTo(finance)).map(({ from, before }) => [new Date(from), new Date(before)])).toEqual([
    [week.from, week.before],
  ]);
});

test("a choice that is repeated leaves the next report where it is, and never ends it", async () => {
  const { merchantId, finance } = await aBusiness();
  const due = async () =>
    (await world.owner.query("select report_due_at from members where merchant_id = $1", [merchantId])).rows[0];
  await choose(finance, merchantId, { reports: "weekly" });
  await fallDue(merchantId);
  const before = await due();
  await choose(finance, merchantId, { reports: "weekly" });
  expect(await due()).toEqual(before);
  expect((await choose(finance, merchantId, { webhook: false })).body).toEqual({ webhook: false, reports: "weekly" });
  expect((await choose(finance, merchantId, { reports: null })).body).toEqual({ webhook: false, reports: null });
  expect(await step()).toBe(0);
  const both = { webhook: true, reports: "monthly" };
  expect((await choose(finance, merchantId, both)).body).toEqual(both);
});

test("a member who may not export can neither choose it nor is mailed any more, and an unverified business has nothing to report", async () => {
  const { merchantId, finance } = await aBusiness();
  const viewer = await aMember(world, dashboard, { merchantId, role: "viewer" });
  expect((await choose(viewer, merchantId, { reports: "weekly" })).body.code).toBe("role_required");
  expect((await choose(viewer, merchantId, { reports: null })).status).toBe(200);
  expect((await choose(finance, merchantId, { reports: "daily" })).body.code).toBe("validation_failed");
  await choose(finance, merchantId, { reports: "weekly" });
  await fallDue(merchantId, "viewer");
  expect([await step(), await step()]).toEqual([1, 0]);
  await fallDue(merchantId, "finance");
  await world.owner.query("update businesses set verified_at = null where id = $1", [merchantId]);
  expect(await step()).toBe(1);
  expect(await reportsTo(finance)).toEqual([]);
});
