import { Problem, withdrawMissedTransfer } from "@collect/contracts";
import { expect, test } from "vitest";
import { aLiveAccount, rowOf, world } from "./intake-world.ts";
import { aLine, lines, offer, useOffers, whileClaimed } from "./offering.ts";
import { aReport, report } from "./world.ts";

/**
 * An offer is claimed twice. In between a report without a session may come, under another id of the bank, that is the line's: statements
 * matches them, and refuses the second claim. The offer must not stay for ever, and neither may the money be credited twice.
 */

await useOffers();

let sessions = 0;
async function anOffer() {
  const { accountNumber } = await aLiveAccount();
  const session_id = `0000140000132611210931${String(++sessions).padStart(8, "0")}`;
  const [typed, reported] = [aReport(accountNumber), aReport(accountNumber)];
  const line = aLine({ session_id });
  const offering = () =>
    offer(typed, { line }).then(
      ({ status }) => status,
      ({ code }: Problem) => code,
    );
  const isOffered = () => lines.get(line)?.offer !== undefined;
  return { typed, reported, session_id, line, offering, isOffered };
}
const matched = () => new Problem("conflict", "The line is matched with another transfer.");
const statusOf = async (transfer: object) => (await report(world, transfer)).body.status;

/** What happens between the two claims of the first act, of which the second is refused then. */
function between(work: () => Promise<unknown>): void {
  let claims = 0;
  whileClaimed(async () => {
    if (++claims !== 2) return;
    await work();
    throw matched();
  });
}

test("an offer whose line is matched with a report between its two claims ends by itself, and its session is free", async () => {
  const { typed, reported, session_id, offering, isOffered } = await anOffer();
  between(async () => expect(await statusOf(reported)).toBe("accepted"));
  expect(await offering()).toBe("conflict");
  expect(isOffered()).toBe(false);
  expect(await rowOf(typed.id)).toBeUndefined();
  // As long as the line is matched no offer of it is taken.
  whileClaimed(() => Promise.reject(matched()));
  expect(await offering()).toBe("conflict");
  expect(await rowOf(typed.id)).toBeUndefined();
  // The bank repeats its report, with the session now, and reports another part of it.
  expect(await statusOf({ ...reported, session_id })).toBe("duplicate");
  expect(await statusOf(aReport(reported.account_number, { session_id }))).toBe("accepted");
});

test("one that died between its claims is withdrawn by an operator, once, and credits nothing", async () => {
  const { typed, reported, line, offering, isOffered } = await anOffer();
  let claims = 0;
  whileClaimed(async () => {
    if (++claims === 2) throw new Problem("service_unavailable", "Killed here.");
  });
  expect(await offering()).toBe("service_unavailable");
  expect(await statusOf(reported)).toBe("accepted");
  whileClaimed(() => Promise.reject(matched()));
  expect(await offering()).toBe("conflict");
  expect(isOffered()).toBe(true);
  const withdraw = () =>
    world.others.request(withdrawMissedTransfer, { line, bank_transfer_id: typed.id, reason: "It was reported" }).then(
      () => "withdrawn",
      ({ code }: Problem) => code,
    );
  expect(await Promise.all([withdraw(), withdraw()])).toContain("withdrawn");
  expect([await withdraw(), isOffered()]).toEqual(["not_found", false]);
  expect(await rowOf(typed.id)).toBeUndefined();
});

test("of an offer that is made twice at once one is credited while the other finds its line matched: it stays, and is credited once", async () => {
  const { typed, line, offering, isOffered } = await anOffer();
  between(async () => expect(await offering()).toBe("accepted"));
  expect(await offering()).toBe("conflict");
  expect(isOffered()).toBe(true);
  expect(await rowOf(typed.id)).toMatchObject({ amount: 250_073n });
  const withdrawal = world.others.request(withdrawMissedTransfer, {
    ...{ line, bank_transfer_id: typed.id, reason: "It was matched" },
  });
  await expect(withdrawal).rejects.toMatchObject({ code: "conflict" });
});
