import { browseTransfers, createTransfer, showTransfer } from "@collect/contracts";
import { expect, test } from "vitest";
import { type Member, useTeams } from "./world.ts";

const { others, aTeam } = await useTeams();

const LATER = "2026-11-21T10:00:00.123+00:00";
const transfer = (reference: string, given: object = {}) => ({
  ...{ reference, amount: 100, account_name: "Chidi Eze", bank_code: "058", account_number: "0123456789" },
  ...{ status: "failed", failure_reason: "The account is closed.", failure_code: null, narration: "Rent" },
  ...{ metadata: { flat: "3" }, merchant_reference: `order-${reference}` },
  ...{ created_at: "2026-11-21T09:30:00.123+00:00", completed_at: null, ...given },
});
/** The failed transfers that the Inbox lists. */
const failed = async (member: Member, base: string) => (await member.get(`${base}/inbox/failed`)).body.data;

test("a transfer that failed is sent again once, under a reference of its own, and leaves the Inbox", async () => {
  const { owner, base } = await aTeam();
  let shown = transfer("trf_1");
  others.reply(showTransfer, () => Object({ transfer: shown, approval: null }));
  const sent: object[] = [];
  others.reply(createTransfer, ({ reference }) => {
    const ordered = { status: "pending", merchant_reference: reference, created_at: LATER };
    const made = transfer(`trf_of_${reference}`, ordered);
    sent.push(made);
    return Object({ transfer: made, created: true });
  });
  others.reply(browseTransfers, ({ status }) => Object({ data: status === "failed" ? [shown] : sent, next: null }));
  const again = () => owner.post(`${base}/transfers/trf_1/again`);

  others.refuse(createTransfer, "insufficient_balance");
  expect((await again()).body.code).toBe("insufficient_balance");
  expect(await failed(owner, base)).toMatchObject([{ reference: "trf_1" }]);
  others.refuse(createTransfer, undefined);

  others.asked.length = 0;
  const answers = await Promise.all([again(), again()]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const order = {
    ...{ amount: 100, bank_code: "058", account_number: "0123456789", narration: "Rent", metadata: { flat: "3" } },
    reference: "again-trf_1",
  };
  expect(others.askedOf(createTransfer)).toMatchObject([order, order]);
  expect(await failed(owner, base)).toEqual([]);
  const { body } = await owner.get(`${base}/inbox/failed?state=done`);
  expect(body.data).toMatchObject([{ reference: "trf_1", done: { note: "Sent again as trf_of_again-trf_1" } }]);

  others.asked.length = 0;
  for (const status of ["pending", "success"]) {
    shown = transfer("trf_1", { status });
    const refused = await again();
    expect([refused.status, refused.body.code, others.askedOf(createTransfer)]).toEqual([409, "conflict", []]);
  }
});

type Listed = { status: string; amount: number; bank_code: string; account_number: string; created_at: string };

/** The filters of payments' list. */
const FILTERS: Record<string, (row: Listed, value: string) => boolean> = {
  status: ({ status }, value) => status === value,
  bank_code: ({ bank_code }, value) => bank_code === value,
  account_number: ({ account_number }, value) => account_number === value,
  amount_from: ({ amount }, value) => amount >= Number(value),
  amount_to: ({ amount }, value) => amount <= Number(value),
  from: ({ created_at }, value) => Date.parse(created_at) >= Date.parse(value),
  search: () => false,
};
function matching(rows: Listed[], { merchant: _, limit = 50, ...filters }: { merchant?: unknown; limit?: unknown }) {
  const asked = Object.entries(filters);
  expect(Object.keys(FILTERS)).toEqual(expect.arrayContaining(asked.map(([name]) => name)));
  return rows
    .filter((row) => asked.every(([name, value]) => FILTERS[name]?.(row, String(value))))
    .slice(0, Number(limit));
}

/** A transfer that failed, and the others of its merchant. */
async function aFailed(given: object, listed: Listed[]) {
  const { owner, base } = await aTeam();
  const shown = transfer("trf_1", given);
  const again = { transfer: transfer("trf_2", { status: "pending" }), created: true };
  others.reply(showTransfer, () => Object({ transfer: shown, approval: null }));
  others.reply(createTransfer, () => Object(again));
  others.reply(browseTransfers, (asked) => Object({ data: matching([shown, ...listed], asked), next: null }));
  others.asked.length = 0;
  const send = async () => {
    const { status, body } = await owner.post(`${base}/transfers/trf_1/again`);
    return { status, code: body.code, detail: body.detail, orders: others.askedOf(createTransfer).length };
  };
  return { owner, base, send };
}
const refused = (detail: RegExp) => ({
  status: 409,
  code: "conflict",
  detail: expect.stringMatching(detail),
  orders: 0,
});

test.each(["pending", "success"])(
  "what was ordered another way later is not sent again, however many others there are: that one is %s",
  async (status) => {
    const others = Array.from({ length: 300 }, (_, n) => transfer(`trf_${n + 10}`, { created_at: LATER }));
    const { send } = await aFailed({}, [...others, transfer("trf_9", { status, created_at: LATER })]);
    expect(await send()).toEqual(refused(/^Transfer trf_9 of the same amount/));
  },
);

test("what succeeds while it is looked for is found", async () => {
  const { send } = await aFailed({}, []);
  const later = transfer("trf_9", { status: "success", created_at: LATER });
  let isEnded = false;
  others.reply(browseTransfers, (asked) => {
    const found = matching([{ ...later, status: isEnded ? "success" : "reserved" }], asked);
    isEnded = true;
    return Object({ data: found, next: null });
  });
  expect(await send()).toEqual(refused(/was paid/));
});

test.each([
  { status: "failed" },
  { status: "reversed" },
  { status: "success", amount: 100.01 },
  { status: "success", bank_code: "044" },
  { status: "success", account_number: "0123456780" },
  { status: "success", created_at: "2026-11-21T09:30:00.123+00:00" },
])("other transfers with %j did not pay it: it is sent again", async (given) => {
  const many = Array.from({ length: 600 }, (_, n) => transfer(`trf_${n + 9}`, { created_at: LATER, ...given }));
  const { send } = await aFailed({}, many);
  expect(await send()).toMatchObject({ status: 200, orders: 1 });
});

test("what a colleague declined is not sent again", async () => {
  const { send } = await aFailed({ failure_code: "approval_declined" }, []);
  expect(await send()).toEqual(refused(/declined/));
});

test("what is marked as done is not sent again, unless it was sent again already", async () => {
  const { owner, base, send } = await aFailed({}, []);
  await owner.post(`${base}/inbox/failed/trf_1/done`, { note: "Paid in cash." });
  expect(await send()).toEqual(refused(/marked as done/));
  others.reply(browseTransfers, () =>
    Object({ data: [transfer("trf_2", { merchant_reference: "again-trf_1" })], next: null }),
  );
  expect(await send()).toMatchObject({ status: 200, orders: 1 });
  await owner.post(`${base}/inbox/failed/trf_1/reopen`);
  others.reply(browseTransfers, () => Object({ data: [], next: null }));
  expect(await send()).toMatchObject({ status: 200, orders: 2 });
});
