import { claimReturn, type Problem, releaseReturn } from "@collect/contracts";
import { beforeAll, expect, test } from "vitest";
import { ACCOUNT, aDay, camtOf } from "./files.ts";
import { BANK } from "./month.ts";
import { useStatements } from "./world.ts";

const world = await useStatements();
const { others, known, owner, refresh } = world;
const [BEFORE, DAY] = ["2026-10-04", "2026-10-05"];
const OTHER = { number: "7777777777", bank: "044", pays_out: false };
const SESSION = "000023211018133747005000003198";

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    ({ code, detail }: Problem) => `${code}: ${detail}`,
  );
const lineOf = async (narration: string): Promise<string> =>
  (await owner.query("select id::text from lines where narration = $1", [narration])).rows[0].id;
const at = (hour: number) => `${DAY}T${String(hour).padStart(2, "0")}:00:00.000+00:00`;

const order = {
  ...{ merchant_reference: "p", bank_code: "058", bank_name: "B", account_number: "0123456789", account_name: "P" },
  ...{ narration: null, created_at: at(8) },
};
type Payout = (typeof known.payouts)[number];
const idOf = (name: string) => `trf_${name.padStart(16, "0")}`;
/** `name` ends in its amount. */
const amountOf = (name: string) => /\d+$/.exec(name)?.[0] ?? "";
const paid = (name: string): Payout => ({
  ...{ transfer_id: idOf(name), merchant: { id: "mer_1", mode: "live" }, amount: amountOf(name), order },
  ...{ outcome: "success", completed_at: at(9), reversed_at: null },
});
/** payments has it as reversed, and what else is given. */
function reverse(name: string, given: Partial<Payout> = {}): void {
  known.payouts = known.payouts.map((payout) =>
    payout.transfer_id === idOf(name) ? { ...payout, outcome: "reversed", reversed_at: at(18), ...given } : payout,
  );
}
const received = (id: string, amount: string) => ({
  ...{ intake_id: `int_${id}`, bank_transfer_id: id, bank: BANK, amount, paid_at: at(10), received_at: at(19) },
});
const claim = async (narration: string, name: string, ordered_at?: string) =>
  codeOf(
    others.request(claimReturn, {
      ...{ line: await lineOf(narration), reference: idOf(name), amount: amountOf(name) },
      ...{ account_number: order.account_number, ...(ordered_at !== undefined && { ordered_at }) },
    }),
  );
const release = async (narration: string, name: string) =>
  others.request(releaseReturn, { line: await lineOf(narration), reference: idOf(name) });
const keysOf = async (narration: string) =>
  (
    await owner.query("select key from lines join movements using (match_id) where narration = $1", [narration])
  ).rows.map(({ key }) => key);

beforeAll(async () => {
  await world.declareAccount();
  await world.declareAccount({ ...OTHER, payouts_of: "044" });
  const names = ["a40", "a50", "b50", "a60", "b60", "a70", "a80", "a90", "a95"];
  known.payouts = names.map(paid);
  // The bank never had one of 60, and the statement of 90 is missing.
  const out = names
    .filter((name) => name !== "a60" && name !== "a90")
    .map((name) => ({ amount: -BigInt(amountOf(name)), references: [idOf(name)], narration: "OUT" }));
  const amounts = [40n, 50n, 60n, 70n, 80n, 95n];
  const back = amounts.map((amount) => ({
    ...{ amount, narration: `BACK ${amount}`, references: amount === 40n ? ["M"] : [] },
  }));
  const stray = { amount: -60n, narration: "STRAY" };
  const days = [
    aDay(BEFORE, 1_000n, [{ amount: 80n, narration: "EARLY" }]),
    aDay(DAY, 1_080n, [...out, ...back, stray]),
  ];
  await world.importFile(new TextEncoder().encode(camtOf(days)));
  const elsewhere = [80n, 90n].map((amount) => ({ amount, narration: `ELSEWHERE ${amount}` }));
  const ofOther = camtOf([aDay(DAY, 0n, elsewhere)]).replaceAll(ACCOUNT, OTHER.number);
  await world.importFile(new TextEncoder().encode(ofOther));
  // By the amount alone these are nothing.
  await owner.query("update lines set session_id = $1 where narration in ('BACK 60', 'STRAY')", [SESSION]);
  known.payouts = known.payouts.map((payout) => ({
    ...payout,
    ...(payout.amount === "60" && { session_id: SESSION.replace("198", "199") }),
  }));
  await refresh();
});

test("a claim whose act died is not gone on with once its line is matched with a transfer that came late", async () => {
  expect(await claim("BACK 40", "a40")).toBe("done");
  expect(await claim("BACK 40", "a40")).toBe("done");
  known.incoming = [received("M", "40")];
  for (let twice = 0; twice < 2; twice++)
    expect(await claim("BACK 40", "a40")).toBe("conflict: The line is matched: the money is with us.");
  expect(await keysOf("BACK 40")).toEqual(["int_M"]);
});

test("nor once the line may be the return of another payout, which takes it when it is free", async () => {
  expect(await claim("BACK 50", "a50")).toBe("done");
  reverse("b50");
  const booked = `conflict: Our books have this return: match the line by hand with ${idOf("b50")}:reversed, if it is that.`;
  expect(await claim("BACK 50", "a50")).toBe(booked);
  await release("BACK 50", "a50");
  await refresh();
  expect(await keysOf("BACK 50")).toEqual([`${idOf("b50")}:reversed`]);
});

test("a claim whose return our books have is the same again, also where the line is in no match", async () => {
  expect(await claim("BACK 70", "a70")).toBe("done");
  // Of another account, as around the end of one.
  reverse("a70", { partner: "044" });
  expect(await claim("BACK 70", "a70")).toBe("done");
  expect(await keysOf("BACK 70")).toEqual([]);
});

test("a return of a payout that the bank never had is none of a line's, unless a line may be that payout", async () => {
  reverse("a60");
  expect(await claim("BACK 60", "b60")).toMatch(/^conflict: Our books have this return: .*a60:reversed/);
  await owner.query("update lines set amount = -61 where narration = 'STRAY'");
  expect(await claim("BACK 60", "b60")).toBe("done");
  expect(await claim("BACK 60", "a60")).toMatch(/^conflict/);
});

test("a line of a day before the payout's, or of another bank than it left from, returns it not", async () => {
  const [midnight, before] = [`${BEFORE}T23:00:00.000+00:00`, `${BEFORE}T22:59:59.999+00:00`];
  expect(await claim("EARLY", "a80", midnight)).toBe(
    `validation_failed: The line is of ${BEFORE}, before the payout was ordered.`,
  );
  expect(await claim("EARLY", "a80", before)).toBe("done");
  await release("EARLY", "a80");
  expect(await claim("ELSEWHERE 80", "a80")).toBe(
    `conflict: The payout left from the account ${ACCOUNT}, at another bank than that of the line.`,
  );
  expect(await claim("BACK 80", "a80", midnight)).toBe("done");
});

test("a claim decides by all that is known, where an account is named meanwhile", async () => {
  reverse("a95");
  let asked = 0;
  known.onPayouts = async () => {
    if (asked++ > 0) return;
    known.incoming = [...known.incoming, received("N", "1")];
    await world.declareAccount({ ...OTHER, payouts_of: null });
  };
  expect(await claim("BACK 95", "a95")).toMatch(/^conflict/);
  expect(asked).toBeGreaterThan(1);
  // Of accounts, too, which had been read.
  expect((await owner.query("select from movements where key = 'int_N'")).rows).toHaveLength(1);
});

test("where a payout left from counts as long as that can be corrected", async () => {
  expect(await claim("ELSEWHERE 90", "a90")).toBe("conflict: The line is not of an account that pays out.");
  await world.declareAccount({ ...OTHER, payouts_of: "044" });
  expect(await claim("ELSEWHERE 90", "a90")).toMatch(/^conflict: The payout left from/);
  await owner.query(`insert into closings (day, sheet, closed_by) values ($1, '{"items": []}', 'bola')`, [DAY]);
  expect(await claim("ELSEWHERE 90", "a90")).toBe("done");
});
