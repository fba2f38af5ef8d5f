import { expect, test } from "vitest";
import { aSession, minute } from "../../../test/inbound/a-session.ts";
import { candidateOf, ranked, sharesAName } from "./attachable.ts";

const money = { amount: 900n, payerName: "OBI, ADA NGOZI", paidAt: minute(5) };
const named = (reference: string, given: Parameters<typeof aSession>[0] = {}) => aSession({ reference, ...given });
const order = (...sessions: ReturnType<typeof aSession>[]) =>
  ranked(
    sessions.map((session) => candidateOf(session, money, minute(6))),
    money,
  ).map(({ session }) => session.reference);

test("of amounts equally far, the session of the payer's name comes first, then the one closest in time", () => {
  const [hers, near, far] = [named("c", { payerName: "Ada Obi" }), named("b"), named("a", { createdAt: minute(-90) })];
  expect(order(far, near, hers)).toEqual(["c", "b", "a"]);
});

test("an amount that is far off counts more than a name, and what is missing is compared, not what was asked for", () => {
  const [hers, near] = [named("a", { amount: 9_000n, payerName: "Ada Obi" }), named("b")];
  const rest = named("c", { amount: 9_900n, amountReceived: 9_000n, status: "underpaid" });
  expect(order(hers, near, rest)).toEqual(["c", "b", "a"]);
});

test("what takes no money comes last, however well it fits", () => {
  const paid = named("a", { amount: 900n, amountReceived: 900n, status: "paid", payerName: "Ada Obi" });
  expect(order(paid, named("b", { amount: 50_000n }))).toEqual(["b", "a"]);
  expect(candidateOf(paid, money, minute(6)).after).toBeNull();
});

test.each([
  ["ADA OBI", "Obi Ada", true],
  ["Ṣọlá Bello", "BELLO SOLA", true],
  ["J. O. Eze", "O. J. Bello", false],
  ["Ada", "", false],
])("%j and %j share a name: %s", (one, other, shares) => expect(sharesAName(one, other)).toBe(shares));
