import { endBankAccount, holdMissingCredit, type Problem } from "@collect/contracts";
import { beforeAll, expect, test } from "vitest";
import { ACCOUNT, aDay, camtOf } from "./files.ts";
import { useStatements } from "./world.ts";

/** Credits of an account that has ended: the line may be on a page that never came, or at the account that took its place. */

const world = await useStatements();
const { others, known, owner, refresh } = world;
const [FIRST, LAST, NEXT, FOURTH] = ["2026-10-05", "2026-10-06", "2026-10-07", "2026-10-08"] as const;
const [WHOLE, TORN] = [
  { number: "8888888888", bank: "058", pays_out: false },
  { number: "7777777777", bank: "044", pays_out: false },
];

async function take(number: string, day: string, opening: bigint, lines: Parameters<typeof aDay>[2] = []) {
  const text = camtOf([aDay(day, opening, lines)]).replaceAll(ACCOUNT, number);
  // Of the other one the last page never comes.
  const isTorn = number === TORN.number && day === LAST;
  await world.importFile(new TextEncoder().encode(isTorn ? text.replace("CLBD", "ITBD") : text));
}
async function report(name: string, bank: string, received: string): Promise<void> {
  const at = { paid_at: `${FIRST}T10:00:00.000+00:00`, received_at: `${received}T10:00:00.000+00:00` };
  known.incoming = [
    ...known.incoming,
    { intake_id: `int_${name}`, bank, bank_transfer_id: name, amount: "5000", ...at },
  ];
  await refresh();
}
const hold = (name: string, ...despite_lines: string[]) =>
  others.request(holdMissingCredit, { intake_id: `int_${name}`, despite_lines }).then(
    () => "held",
    ({ code, detail, errors }: Problem) => errors?.[0]?.code ?? `${code}: ${detail}`,
  );

beforeAll(async () => {
  for (const account of [WHOLE, TORN]) {
    await world.declareAccount(account);
    await take(account.number, FIRST, 0n);
    await take(account.number, LAST, 0n);
  }
});

test("the end of an account proves nothing of the days after it, nor of its last page", async () => {
  await report("TORN", TORN.bank, FIRST);
  await report("WHOLE", WHOLE.bank, FIRST);
  for (const { number } of [WHOLE, TORN])
    await others.request(endBankAccount, { number, last_day: LAST, residue: "0", reason: "the bank closed it" });
  await report("AFTER", WHOLE.bank, NEXT);
  const { rows } = await owner.query("select account from movements where key = 'int_AFTER'");
  expect(rows).toEqual([{ account: WHOLE.number }]);
  expect(await hold("TORN")).toBe("credit_may_come");
  expect(await hold("AFTER")).toBe("credit_may_come");
  expect(await hold("WHOLE")).toBe("held");
});

test("a line in the account that took its place is named, and one of another bank is not", async () => {
  const [successor, other] = ["8888888880", "7777777770"];
  await world.declareAccount({ ...TORN, number: other });
  await take(other, NEXT, 0n, [{ amount: 5_000n, narration: "ELSEWHERE", references: ["FT1"] }]);
  expect(await hold("WHOLE")).toBe("held");
  await world.declareAccount({ ...WHOLE, number: successor });
  await take(successor, NEXT, 0n, [{ amount: 5_000n, narration: "HERE", references: ["FT2"] }]);
  await take(successor, FOURTH, 5_000n);
  expect(await hold("WHOLE")).toBe("line_may_be_credit");
  const { rows } = await owner.query("select id::text from lines where narration = 'HERE'");
  expect(await hold("WHOLE", rows[0].id)).toBe("held");
  expect(await hold("TORN")).toBe("credit_may_come");
});
