import {
  browseCollections,
  browsePayments,
  browseTransfers,
  getCollection,
  getVerification,
  getWebhookHealth,
  showPayment,
  showTransfer,
} from "@collect/contracts";
import { beforeEach, expect, test } from "vitest";
import { INBOX_KINDS } from "../src/domain/inbox.ts";
import { aMember } from "./dashboard.ts";
import { AT, collection, HEALTH, session, transfer, verification } from "./inbox-items.ts";
import { type Member, useTeams } from "./world.ts";

const { world, dashboard, others, aTeam } = await useTeams();

/** What the other services have: nothing, unless a test says otherwise. */
beforeEach(() => {
  const none = { data: [], next: null };
  for (const contract of [browseCollections, browsePayments, browseTransfers]) others.reply(contract, () => none);
  others.reply(getWebhookHealth, () => HEALTH);
  others.reply(getVerification, () => verification("approved"));
  others.reply(getCollection, ({ reference }) => Object({ collection: collection(reference) }));
});

type Counted = { kind: string; count: number | null; has_more: boolean };
type Page = { data: { reference: string; owner: object | null }[]; next: string | null };
const pageOf = async (member: Member, path: string): Promise<Page> => Object((await member.get(path)).body);
const referencesOf = ({ data }: Page) => data.map(({ reference }) => reference);
const countsOf = async (member: Member, base: string) => {
  const { body } = await member.get(`${base}/inbox`);
  const counted = (body.kinds as Counted[]).filter(({ count, has_more }) => count !== 0 || has_more);
  return Object.fromEntries(counted.map(({ kind, count, has_more }) => [kind, has_more ? `${count}+` : count]));
};

test("each kind is listed with what is known of it, and counted", async () => {
  const { owner, base } = await aTeam();
  // Payments of a former release lists all collections where those taken back are asked for.
  const collections = [collection("col_whole"), collection("col_back", { amount_reversed: 500.07 })];
  others.reply(browseCollections, ({ match }) => ({
    data: match === "none" ? [collection("col_1")] : collections,
    next: null,
  }));
  others.reply(browsePayments, ({ status, paid }) => ({
    // And all sessions where those paid twice are asked for.
    data: paid
      ? [session("pay_once", "paid"), session("pay_twice", "paid", 201)]
      : [session(`pay_${status}`, `${status}`)],
    next: null,
  }));
  others.reply(browseTransfers, ({ status, approval }) => ({
    data: [transfer(`trf_${approval ?? status}`)],
    next: null,
  }));
  others.reply(getWebhookHealth, () => ({
    ...HEALTH,
    exhausted: 2,
    hold: { state: "held" as const, since: AT, waiting: 12, next_attempt_at: AT, seconds_left: null },
  }));
  others.reply(getVerification, () => verification("returned"));
  expect(await countsOf(owner, base)).toEqual({
    ...{ approval: 1, failed: 1, reversed: 1, unmatched: 1, underpaid: 1, overpaid: 1 },
    ...{ paid_twice: 1, taken_back: 1, webhook: 2, verification: 1 },
  });
  const first = async (kind: string) => (await pageOf(owner, `${base}/inbox/${kind}`)).data[0];
  const untouched = { owner: null, done: null };
  expect(await first("unmatched")).toEqual({
    ...{ kind: "unmatched", reference: "col_1", amount: 2500.73, amount_received: null, name: "ADA OBI" },
    ...{ reason: null, failure_code: null, count: null, at: AT, ...untouched },
  });
  expect(await first("underpaid")).toMatchObject({ reference: "pay_underpaid", amount: 100.5, amount_received: 90 });
  expect(await first("paid_twice")).toMatchObject({ reference: "pay_twice", amount: 100.5 });
  expect(await first("taken_back")).toMatchObject({
    reference: "col_back",
    amount: 2500.73,
    amount_received: 2000.66,
    name: "ADA OBI",
  });
  expect(await first("approval")).toMatchObject({ reference: "trf_required", amount: 100, name: "Chidi Eze" });
  expect(await first("failed")).toMatchObject({
    reference: "trf_failed",
    reason: "The account is closed.",
    failure_code: "closed",
  });
  expect(await first("webhook")).toMatchObject({ reference: "held", count: 12, at: AT });
  expect(await first("verification")).toMatchObject({ reason: "The RC number is another company's." });
  expect((await owner.get(`${base}/inbox/anything`)).status).toBe(404);
  expect((await owner.get(`${base}/inbox/failed?state=lost`)).body.code).toBe("validation_failed");
});

test("a release of held events, and a service that is away, hide nothing else", async () => {
  const { owner, base } = await aTeam();
  others.reply(browseCollections, () => ({ data: [collection("col_1")], next: null }));
  const hold = { state: "releasing" as const, since: AT, waiting: 3, next_attempt_at: null, seconds_left: 1 };
  others.reply(getWebhookHealth, () => ({ ...HEALTH, failing: 1, hold }));
  others.refuse(browsePayments, "service_unavailable");
  expect(await countsOf(owner, base)).toEqual({ unmatched: 1, underpaid: null, overpaid: null, paid_twice: null });
  expect((await owner.get(`${base}/inbox/underpaid`)).status).toBe(503);
  others.refuse(browsePayments, undefined);
});

test("what the bank took back is listed by its collection alone, and only such a collection can be done as that", async () => {
  const { owner, base } = await aTeam();
  const back = { amount_reversed: 90 };
  others.reply(browsePayments, ({ status }) => ({
    data: status ? [{ ...session(`pay_${status}`, status), ...back }] : [],
    next: null,
  }));
  expect(await countsOf(owner, base)).toEqual({});
  const done = (kind: string) => owner.post(`${base}/inbox/${kind}/col_1/done`);
  expect((await done("taken_back")).status).toBe(404);
  others.reply(getCollection, ({ reference }) => Object({ collection: collection(reference, back) }));
  expect((await done("unmatched")).status).toBe(404);
  expect((await done("taken_back")).body.done).toMatchObject({ note: null });
});

test("what is done leaves the list and the count, says who and why, and comes back when it is reopened", async () => {
  const { merchantId, owner, base } = await aTeam();
  const support = await aMember(world, dashboard, { merchantId, role: "support" });
  others.reply(browseCollections, () => ({ data: [collection("col_1"), collection("col_2")], next: null }));
  const done = await support.post(`${base}/inbox/unmatched/col_1/done`, { note: " It stays. " });
  expect(done.body).toEqual({
    owner: null,
    done: { at: expect.any(String), by: expect.any(String), note: "It stays." },
  });
  expect(others.audited.at(-1)).toMatchObject({
    ...{ action: "inbox.done", detail: { kind: "unmatched", reference: "col_1" } },
    ...{ outcome: "done", mode: "test", actor: { user_id: support.id } },
  });
  expect(await countsOf(owner, base)).toEqual({ unmatched: 1 });
  expect((await owner.get(`${base}/inbox/unmatched`)).body.data).toMatchObject([{ reference: "col_2" }]);
  const listed = await owner.get(`${base}/inbox/unmatched?state=done`);
  expect(listed.body).toMatchObject({ data: [{ reference: "col_1", amount: null, done: done.body.done }], next: null });
  // Another mode, and another merchant, have the same reference.
  expect(await countsOf(owner, base.replace("/test", "/live"))).toEqual({ unmatched: 2 });
  const other = await aTeam();
  expect(await countsOf(other.owner, other.base)).toEqual({ unmatched: 2 });

  expect((await owner.post(`${base}/inbox/unmatched/col_1/reopen`)).body.done).toBeNull();
  expect(await countsOf(owner, base)).toEqual({ unmatched: 2 });
});

test("of two members who finish the same at once one is recorded, and a repeat changes nothing", async () => {
  const { merchantId, owner, base } = await aTeam();
  const finance = await aMember(world, dashboard, { merchantId, role: "finance" });
  const path = `${base}/inbox/unmatched/col_1/done`;
  const [one, two] = await Promise.all([owner.post(path, { note: "one" }), finance.post(path, { note: "two" })]);
  expect(one.body.done).toEqual(two.body.done);
  expect((await owner.post(path, { note: "three" })).body.done).toEqual(one.body.done);
  const long = await owner.post(path, { note: "x".repeat(501) });
  expect(long).toMatchObject({ status: 400, body: { errors: [{ param: "note" }] } });
});

test("only what a service has of this kind gets a row, and only a person's decisions can be done", async () => {
  const { merchantId, owner, base } = await aTeam();
  const refused = async (kind: string, reference: string, act = "done", body = {}) => {
    const { status, body: problem } = await owner.post(`${base}/inbox/${kind}/${reference}/${act}`, body);
    expect([kind, status, problem.code]).toEqual([kind, ...REFUSED[problem.code as keyof typeof REFUSED]]);
    return problem.code;
  };
  const REFUSED = { not_found: [404, "not_found"], conflict: [409, "conflict"] } as const;
  others.refuse(getCollection, "not_found");
  expect(await refused("unmatched", "col_9")).toBe("not_found");
  expect(await refused("unmatched", "col_9", "owner", { user_id: owner.id })).toBe("not_found");
  others.refuse(getCollection, undefined);
  for (const given of [{ customer_reference: "cust_1" }, { payment_reference: "pay_1" }]) {
    others.reply(getCollection, () => Object({ collection: collection("col_1", given) }));
    expect(await refused("unmatched", "col_1")).toBe("not_found");
  }
  others.reply(showPayment, () => Object({ payment: session("pay_1", "paid") }));
  expect(await refused("underpaid", "pay_1")).toBe("not_found");
  others.reply(showTransfer, () => Object({ transfer: transfer("trf_1"), approval: { state: "required" } }));
  expect(await refused("reversed", "trf_1")).toBe("not_found");
  expect(await refused("webhook", "held", "owner", { user_id: owner.id })).toBe("not_found");
  for (const kind of ["approval", "webhook", "verification"]) expect(await refused(kind, "trf_1")).toBe("conflict");
  const rows = await world.owner.query("select from inbox_items where merchant_id = $1", [merchantId]);
  expect(rows.rowCount).toBe(0);
  await expect(
    world.pool.query(
      `insert into inbox_items (merchant_id, mode, kind, reference, done_at, done_by) values ($1, 'test', 'webhook', 'held', now(), $2)`,
      [merchantId, owner.id],
    ),
  ).rejects.toThrow("ends_by_itself");
  // A transfer that waits for approval can have an owner.
  const assigned = await owner.post(`${base}/inbox/approval/trf_1/owner`, { user_id: owner.id });
  expect(assigned.body.owner).toMatchObject({ user_id: owner.id });
});

test("an owner is a member: a stranger is refused, and who leaves takes care of nothing", async () => {
  const { merchantId, owner, base } = await aTeam();
  const stranger = (await aTeam()).owner;
  const member = await aMember(world, dashboard, { merchantId, role: "viewer" });
  others.reply(browseCollections, () => ({ data: [collection("col_1")], next: null }));
  const assign = (user_id: string | null) => owner.post(`${base}/inbox/unmatched/col_1/owner`, { user_id });
  const ownerOf = async () => (await pageOf(owner, `${base}/inbox/unmatched`)).data[0]?.owner;
  expect((await assign(stranger.id)).status).toBe(404);
  expect((await assign(member.id)).body.owner).toMatchObject({ user_id: member.id });
  expect(others.audited.at(-1)).toMatchObject({ action: "inbox.assigned", detail: { email: member.email } });
  expect(await ownerOf()).toMatchObject({ user_id: member.id });
  await owner.post(`${base}/members/${member.id}/remove`);
  expect(await ownerOf()).toBeNull();
  await assign(owner.id);
  expect(await ownerOf()).toMatchObject({ user_id: owner.id });
  expect((await assign(null)).body.owner).toBeNull();
  const refused = await member.post(`${base}/inbox/unmatched/col_1/owner`, { user_id: null });
  expect(refused.status).toBe(404);
});

test("what is done among the newest hides nothing older: a call reads on, within a bound, and the next goes on from there", async () => {
  const { owner, base } = await aTeam();
  const TOTAL = 400;
  others.reply(browseCollections, ({ match, after, limit }) => {
    if (!match) return { data: [], next: null };
    const from = Number(after ?? 0);
    const data = Array.from({ length: Number(limit) }, (_, n) => collection(`col_${from + n}`));
    return { data, next: from + data.length < TOTAL ? String(from + data.length) : null };
  });
  await world.owner.query(
    `insert into inbox_items (merchant_id, mode, kind, reference, done_at, done_by)
     select $1, 'test', 'unmatched', 'col_' || n, timestamptz '2026-11-22' + n * interval '1 second', $2 from generate_series(0, 319) n`,
    [base.split("/")[3], owner.id],
  );
  const page = (after?: string | null) => pageOf(owner, `${base}/inbox/unmatched${after ? `?after=${after}` : ""}`);
  others.asked.length = 0;
  const first = await page();
  expect([first, others.askedOf(browseCollections).length]).toEqual([{ data: [], next: "250" }, 5]);
  expect(referencesOf(await page(first.next))).toEqual(Array.from({ length: 30 }, (_, n) => `col_${320 + n}`));
  expect(await countsOf(owner, base)).toEqual({ unmatched: "0+" });

  const done: string[] = [];
  for (let after: string | null = ""; after !== null; ) {
    const page = await pageOf(owner, `${base}/inbox/unmatched?state=done${after && `&after=${after}`}`);
    done.push(...referencesOf(page));
    after = page.next;
  }
  expect(done).toEqual(Array.from({ length: 320 }, (_, n) => `col_${319 - n}`));
  const madeUp = await owner.get(`${base}/inbox/unmatched?state=done&after=x`);
  expect([madeUp.status, madeUp.body.code]).toEqual([400, "validation_failed"]);
});

test("every kind can be stored", async () => {
  const { merchantId } = await aTeam();
  for (const kind of INBOX_KINDS)
    await world.pool.query(
      "insert into inbox_items (merchant_id, mode, kind, reference) values ($1, 'test', $2, 'one')",
      [merchantId, kind],
    );
});
