import {
  acknowledgeEndpointChanges,
  acknowledgeNewPayees,
  addMember,
  listEndpointChanges,
  listNewPayees,
  Problem,
  setOwnPayoutLimits,
  setWebhookEndpoint,
} from "@collect/contracts";
import { startComponents, tokenIn, until } from "@collect/testing";
import { expect, onTestFinished, test } from "vitest";
import { noteAnnouncements } from "../src/workers/announcements.ts";
import { aMember, signedUp } from "./dashboard.ts";
import { useMail } from "./world.ts";

const { world, dashboard, others, mailbox } = await useMail();
let teams = 0;

async function aTeam() {
  const merchantId = `mer_mailed${++teams}`;
  const inRole = (role: Parameters<typeof aMember>[2]["role"]) => aMember(world, dashboard, { merchantId, role });
  const [owner, other, finance, developer, viewer] = [
    await inRole("owner"),
    await inRole("owner"),
    await inRole("finance"),
    await inRole("developer"),
    await inRole("viewer"),
  ];
  const at = (mode: string, path: string) => `/api/m/${merchantId}/${mode}/${path}`;
  const mailedTo = async (subject: string, ...members: { email: string }[]) => {
    const mails = await Promise.all(members.map(({ email }) => mailbox.untilMailed(email, subject)));
    return mails[0]?.[0]?.text ?? "";
  };
  return { merchantId, owner, other, finance, developer, viewer, at, mailedTo };
}
type Team = Awaited<ReturnType<typeof aTeam>>;

/** Once no notice of the team waits any more: which of its members were mailed about this, and how often. */
async function countedMails({ merchantId, ...team }: Team, about: string) {
  await until("the notices are mails, and are sent", async () => {
    const { rows } = await world.owner.query(
      "select 1 from notices where merchant_id = $1 union all select 1 from mails where detail ->> 'merchant_id' = $1 and sent_at is null",
      [merchantId],
    );
    return rows.length === 0;
  });
  const { owner, other, finance, developer, viewer } = team;
  const members = Object.entries({ owner, other, finance, developer, viewer });
  const counts = members.map(([role, { email }]) => [
    role,
    mailbox.subjectsTo(email).filter((subject) => subject.includes(about)).length,
  ]);
  return Object.fromEntries(counts.filter(([, count]) => count !== 0));
}

const LIMITS = { transfer_max: 1_000, day_max: null, approval_above: 500 };
const answerWith = (upcoming: object | null) =>
  others.reply(setOwnPayoutLimits, ({ merchant_id }) =>
    Object({
      merchant_id,
      limits: LIMITS,
      operator: LIMITS,
      merchant: LIMITS,
      upcoming,
      ordered_today: { test: 0, live: 0 },
    }),
  );

test.each(["live", "test"])(
  "looser payout limits, ordered under /%s/, are mailed to owners and finance, with when and how to stop them",
  async (mode) => {
    const team = await aTeam();
    answerWith({
      transfer_max: 2_500_000,
      day_max: null,
      approval_above: 1_000_000.5,
      effective_at: "2026-11-23T09:30:00.000+00:00",
    });
    expect((await team.owner.post(team.at(mode, "payout-limits"), LIMITS)).status).toBe(200);
    const subject = "Higher transfer limits were requested for Ada Stores";
    const text = await team.mailedTo(subject, team.owner, team.other, team.finance);
    expect(text).toContain("The new limits apply from 23 November 2026 at 10:30, Lagos time.");
    expect(text).toContain(
      "Per transfer: up to ₦2,500,000.00. Per day: no limit. Approval by a second person: above ₦1,000,000.50.",
    );
    expect(text).toContain("To cancel the change, save the lower limits again before then");
    expect(await countedMails(team, "transfer limits")).toEqual({ owner: 1, other: 1, finance: 1 });
  },
);

test("stricter limits and refused ones are not mailed; an unknown outcome is", async () => {
  const team = await aTeam();
  answerWith(null);
  expect((await team.owner.post(team.at("live", "payout-limits"), LIMITS)).status).toBe(200);
  others.reply(setOwnPayoutLimits, () => {
    throw new Problem("conflict", "Above the operator's limit.");
  });
  expect((await team.owner.post(team.at("live", "payout-limits"), LIMITS)).status).toBe(409);
  expect(await countedMails(team, "transfer limits")).toEqual({});
  others.reply(setOwnPayoutLimits, () => {
    throw new Problem("service_unavailable", "The answer was lost.");
  });
  expect((await team.owner.post(team.at("live", "payout-limits"), LIMITS)).status).toBe(503);
  await world.owner.query("update notices set due_at = clock_timestamp() where merchant_id = $1", [team.merchantId]);
  const text = await team.mailedTo("Higher transfer limits were requested for Ada Stores", team.finance);
  expect(text).toContain("We couldn't confirm whether the change was saved");
});

test("what is done to a live webhook is mailed to owners and developers, with its place; in test mode it is not", async () => {
  const team = await aTeam();
  const headers = { "user-agent": "Mozilla/5.0 (Windows NT 10.0) Firefox/140.0" };
  const act = (mode: string, path: string, body: object = {}) =>
    team.developer.post(team.at(mode, path), body, { headers });
  const endpoint = { secret: "whsec_0123456789", staged_secret: null, activates_at: null, unconfirmed: null };
  others.reply(setWebhookEndpoint, ({ url }) => ({ ...endpoint, url: url ?? null }));
  const url = "https://user:secret@shop.example/hook?token=secret";
  for (const mode of ["test", "live"]) {
    expect((await act(mode, "webhook", { url })).status).toBe(200);
    expect((await act(mode, "webhook/rotation/activate")).status).toBe(200);
  }
  const text = await team.mailedTo("New URL: webhook of Ada Stores", team.owner, team.developer);
  expect(text).toMatch(
    /in live mode. New URL \(shop\. example\/hook\), by Ada Obi \(member.* on .*Lagos time, from Firefox on Windows \(10\.\d+\.\d+\.7\)/,
  );
  expect(text).not.toContain("secret@");
  expect(text).not.toContain("token=");
  expect(await countedMails(team, "webhook of")).toEqual({ owner: 2, other: 2, developer: 2 });
});

test("a changed role is mailed to the owners and to the member; the same role again, and a refusal, are not", async () => {
  const team = await aTeam();
  const change = (role: string) => team.owner.post(team.at("test", `members/${team.viewer.id}/role`), { role });
  expect((await change("viewer")).status).toBe(200);
  expect((await team.developer.post(team.at("test", `members/${team.viewer.id}/role`), { role: "owner" })).status).toBe(
    403,
  );
  expect((await change("finance")).status).toBe(200);
  const text = await team.mailedTo("A role in the team of Ada Stores was changed", team.owner, team.other);
  expect(text).toMatch(/Ada Obi \(member.*\) changed the role of Ada Obi \(.*\) from viewer to finance/);
  const own = await team.mailedTo("Your role in Ada Stores was changed", team.viewer);
  expect(own).toContain("changed your role in the team of Ada Stores to finance");
  expect(await countedMails(team, "A role in the team")).toEqual({ owner: 1, other: 1 });
});

test("an owner whom a thief removes is mailed, and so are the owners who are left", async () => {
  const team = await aTeam();
  expect((await team.owner.post(team.at("test", `members/${team.other.id}/remove`))).status).toBe(200);
  await team.mailedTo("You were removed from Ada Stores", team.other);
  await team.mailedTo("A member of Ada Stores was removed", team.owner);
  // Who leaves knows it.
  expect((await team.viewer.post(team.at("test", `members/${team.viewer.id}/remove`))).status).toBe(200);
  await until(
    "the owner is mailed again",
    () => mailbox.subjectsTo(team.owner.email).filter((s) => s.startsWith("A member left")).length === 1,
  );
  expect(mailbox.subjectsTo(team.viewer.email).filter((subject) => subject.startsWith("You were removed"))).toEqual([]);
});

test("an accepted invitation, and a member whom an operator adds or changes, are mailed to the owners", async () => {
  const team = await aTeam();
  const email = `joining${teams}@example.com`;
  expect((await team.owner.post(team.at("test", "members/invite"), { email, role: "developer" })).status).toBe(200);
  const [invitation] = await mailbox.untilMailed(email, "You're invited to Ada Stores");
  const guest = await signedUp(dashboard, email);
  const token = tokenIn(invitation);
  expect((await guest.post("/api/invitations/accept", { token })).status).toBe(200);
  const text = await team.mailedTo("A new member in the team of Ada Stores", team.owner, team.other);
  expect(text).toContain(
    `Ada Obi (${email.replace("@", " at ").replace(".com", ". com")}) joined the team with the role of developer`,
  );

  const added = {
    merchant_id: team.merchantId,
    email: `added${teams}@example.com`,
    name: "Bola Ade",
    role: "viewer" as const,
  };
  await world.others.request(addMember, added);
  await until(
    "the owner is mailed of the second",
    () => mailbox.subjectsTo(team.owner.email).filter((s) => s.startsWith("A new member")).length === 2,
  );
  await world.others.request(addMember, { ...added, role: "owner" });
  const changed = await team.mailedTo("A role in the team of Ada Stores was changed", team.owner);
  expect(changed).toContain("Our support changed the role of Bola Ade");
});

test("new payees go to owners and finance, a failing webhook to owners and developers: each once, although it is listed until it is acknowledged", async () => {
  const team = await aTeam();
  const about = { merchant_id: team.merchantId, at: "2026-11-22T09:30:00.000+00:00" };
  const payee = {
    reference: "order-77",
    amount: 1_500_000,
    ordered_at: "2026-11-22T09:29:30.000+00:00",
    bank_name: "First Bank of Nigeria",
    account_number: "0000014579",
    account_name: "CHIDI EZE",
    ordered_by: { kind: "key" as const, key: "sk_live_…3xYz" },
  };
  let acknowledged = 0;
  others.reply(listNewPayees, () => ({
    announcements: acknowledged < 3 ? [{ ...about, key: "trf_1", count: 12, payees: [payee] }] : [],
  }));
  others.reply(acknowledgeNewPayees, () => {
    // Twice the acknowledgement is lost.
    if (++acknowledged < 3) throw new Problem("service_unavailable", "Lost.");
    return {};
  });
  const change = {
    ...about,
    key: "w1",
    state: "failing" as const,
    host: "shop.example",
    failure: "HTTP 503",
    waiting: 1_200,
  };
  let changes: object[] = [change];
  others.reply(listEndpointChanges, () => Object({ announcements: changes }));
  others.reply(acknowledgeEndpointChanges, ({ keys }) => {
    changes = keys.includes("w1") ? [{ ...change, key: "w2", state: "recovered", failure: null }] : [];
    return {};
  });
  const { pool, bus, log } = world;
  onTestFinished(await startComponents(noteAnnouncements({ pool, bus, log, everyMs: 20 })));
  onTestFinished(await startComponents(noteAnnouncements({ pool, bus, log, everyMs: 20 })));

  const text = await team.mailedTo(
    "First transfers of Ada Stores to 12 new accounts",
    team.owner,
    team.other,
    team.finance,
  );
  expect(text).toContain(
    "₦1,500,000.00 to CHIDI EZE, First Bank of Nigeria, account ending in 4579. Reference order-77. Created by the key sk_live_…3xYz on 22 November 2026 at 10:29, Lagos time.",
  );
  expect(text).toContain("And 11 more");
  const failing = await team.mailedTo("The webhook of Ada Stores is failing", team.owner, team.developer);
  expect(failing).toContain(
    "Since 22 November 2026 at 10:30, Lagos time, shop. example has acknowledged no live event",
  );
  expect(failing).toMatch(/HTTP 503[\s\S]*1,200 events wait\. No event is lost/);
  await team.mailedTo("The webhook of Ada Stores works again", team.owner, team.developer);
  await until("both are acknowledged", () => acknowledged >= 3 && changes.length === 0);
  expect(await countedMails(team, "new accounts")).toEqual({ owner: 1, other: 1, finance: 1 });
  expect(await countedMails(team, "is failing")).toEqual({ owner: 1, other: 1, developer: 1 });
  expect(await countedMails(team, "works again")).toEqual({ owner: 1, other: 1, developer: 1 });
});
