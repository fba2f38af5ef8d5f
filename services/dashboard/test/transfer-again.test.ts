import { browseTransfers, createTransfer, showTransfer } from "@collect/contracts";
import { expect, test } from "vitest";
import { type Member, useTeams } from "./world.ts";

const { others, aTeam } = await useTeams();

const transfer = (reference: string, given: object = {}) => ({
  ...{ reference, amount: 100, account_name: "Chidi Eze", bank_code: "058", account_number: "0123456789" },
  ...{ status: "failed", failure_reason: "The account is closed.", narration: "Rent", metadata: { flat: "3" } },
  ...{ created_at: "2026-11-21T09:30:00.123+00:00", completed_at: null, ...given },
});
/** The failed transfers that the Inbox lists. */
const failed = async (member: Member, base: string) => (await member.get(`${base}/inbox/failed`)).body.data;

test("a transfer that failed is sent again once, under a reference of its own, and leaves the Inbox", async () => {
  const { owner, base } = await aTeam();
  let shown = transfer("trf_1");
  others.reply(showTransfer, () => Object({ transfer: shown, approval: null }));
  others.reply(createTransfer, ({ reference }) =>
    Object({ transfer: { ...shown, reference: `trf_of_${reference}` }, created: true }),
  );
  others.reply(browseTransfers, ({ status }) => Object({ data: status === "failed" ? [shown] : [], next: null }));
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
