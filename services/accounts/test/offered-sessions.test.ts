import { Problem } from "@collect/contracts";
import type { Transaction } from "@collect/database";
import { until } from "@collect/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { intakeIdOf, type ReportedTransfer } from "../src/domain/intake.ts";
import { insertTransfers } from "../src/store/inbound-transfers.ts";
import { claimSession } from "../src/store/missed-transfers.ts";
import { aLiveAccount, rowOf, world } from "./intake-world.ts";
import { aLine, lines, offer, useOffers, whileClaimed, whileReleased } from "./offering.ts";
import { aReport, report } from "./world.ts";

/** One transfer that a bank reports under one id and an operator offers under another one: they have the session in common. */

await useOffers();

let sessions = 0;
async function aSession() {
  const { accountNumber } = await aLiveAccount();
  const session_id = `0000140000132611210930${String(++sessions).padStart(8, "0")}`;
  return { session_id, reported: aReport(accountNumber, { session_id }), missed: aReport(accountNumber) };
}
type Known = Awaited<ReturnType<typeof aSession>>;

const statusOf = async ({ reported }: Known) => (await report(world, reported)).body.status;
const offerOf = ({ missed, session_id }: Known, of = { line: aLine({ session_id }) }) =>
  offer(missed, of).then(
    ({ status }) => status,
    ({ code }: Problem) => code,
  );
const creditedOf = async ({ session_id }: Known): Promise<string[]> =>
  (
    await world.owner.query("select bank_transfer_id as id from inbound_transfers where session_id = $1", [session_id])
  ).rows.map(({ id }) => id);

/** What the service does with it, on a connection of its own that has not committed. */
async function hold(work: (tx: Transaction) => Promise<unknown>) {
  const tx = await world.pool.connect();
  tx.on("error", () => {});
  await tx.query("begin");
  await work(tx);
  let isReleased = false;
  const end = async (how: "commit" | "die") => {
    if (isReleased) return;
    isReleased = true;
    if (how === "commit") await tx.query("commit");
    // As a process that is killed: its connection is gone.
    tx.release(how === "die");
  };
  onTestFinished(() => end("die"));
  return end;
}

const transferOf = (transfer: ReturnType<typeof aReport>, sessionId: string) => {
  const { id: bankTransferId, account_number: accountNumber } = transfer;
  const ids = { bank: "729", mode: "live" as const, bankTransferId };
  const given: ReportedTransfer = {
    ...{ ...ids, type: "credit", accountNumber, amount: 250_073n, currency: "NGN", narration: null, paidAt: null },
    ...{ payer: { name: "CHIDI EZE", accountNumber: null, bankName: null }, sessionId, settlementId: null },
  };
  return { ...given, intakeId: intakeIdOf("k".repeat(32), given) };
};
const untilOneWaits = () =>
  until("the other one waits", async () => {
    const { rows } = await world.owner.query(
      `select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`,
    );
    return rows.length > 0;
  });

test.each([
  ["commit", "conflict", "reported"],
  ["die", "accepted", "missed"],
] as const)(
  "an offer waits for the intake of a report that is under way: if that ends with %s, the offer is answered %s",
  async (how, status, credited) => {
    const known = await aSession();
    const end = await hold((tx) => insertTransfers(tx, [transferOf(known.reported, known.session_id)], "729"));
    const offering = offerOf(known);
    await untilOneWaits();
    await end(how);
    expect(await offering).toBe(status);
    expect(await creditedOf(known)).toEqual([known[credited].id]);
    // Repeated, each stays what it was.
    expect(await statusOf(known)).toBe(credited === "reported" ? "duplicate" : "quarantined");
    expect(await creditedOf(known)).toEqual([known[credited].id]);
  },
);

test.each([
  ["commit", "quarantined", []],
  ["die", "accepted", ["reported"]],
] as const)(
  "the intake of a report waits for an offer that is under way: if that ends with %s, the report is answered %s",
  async (how, status, credited) => {
    const known = await aSession();
    const end = await hold((tx) => claimSession(tx, transferOf(known.missed, known.session_id)));
    const reporting = statusOf(known);
    await untilOneWaits();
    await end(how);
    expect(await reporting).toBe(status);
    expect(await creditedOf(known)).toEqual(credited.map((one) => known[one].id));
  },
);

test("an act that dies between its claim and its credit leaves the session to the offer, which is repeated", async () => {
  const known = await aSession();
  const of = { line: aLine({ session_id: known.session_id }) };
  let claims = 0;
  whileClaimed(async () => {
    if (++claims === 2) throw new Problem("service_unavailable", "Killed here.");
  });
  expect(await offerOf(known, of)).toBe("service_unavailable");
  expect(await statusOf(known)).toBe("quarantined");
  expect(await creditedOf(known)).toEqual([]);
  expect(await offerOf(known, of)).toBe("accepted");
  expect(await creditedOf(known)).toEqual([known.missed.id]);
});

test("of sessions that are offered and reported at once each is credited once, in batches with each other and with others", async () => {
  const all = await Promise.all(Array.from({ length: 24 }, aSession));
  const [others] = [await aLiveAccount()];
  const outcomes = await Promise.all(
    all.map(async (known) => {
      const [offered, reported, other] = await Promise.all([
        offerOf(known),
        statusOf(known),
        report(world, aReport(others.accountNumber)),
      ]);
      expect(other.body.status).toBe("accepted");
      return `${offered} ${reported}`;
    }),
  );
  for (const outcome of outcomes) expect(["accepted quarantined", "conflict accepted"]).toContain(outcome);
  for (const known of all) expect(await creditedOf(known)).toHaveLength(1);
});

test("a line may be given to another one after the first claim: what it says then is not credited", async () => {
  const known = await aSession();
  let claims = 0;
  // As after a restore of statements, in which another line has the number.
  whileClaimed(async (line) => {
    if (++claims === 2) Object.assign(line, { offer: undefined });
  });
  expect(await offerOf(known)).toBe("conflict");
  expect(await rowOf(known.missed.id)).toBeUndefined();
});

test("a bank may report a session under several ids, and none of it is offered then", async () => {
  const known = await aSession();
  const again = { ...known, reported: aReport(known.reported.account_number, { session_id: known.session_id }) };
  expect([await statusOf(known), await statusOf(again)]).toEqual(["accepted", "accepted"]);
  const offering = offer(known.missed, { line: aLine({ session_id: known.session_id }) });
  await expect(offering).rejects.toMatchObject({
    detail: expect.stringMatching(/^The session was reported or offered under another id of the bank: int_\w+\.$/),
  });
  expect(await creditedOf(known)).toHaveLength(2);
});

describe("an offer that is refused because its session was reported", () => {
  const aReported = async () => {
    const known = await aSession();
    const of = { line: aLine({ session_id: known.session_id }) };
    return { known, of, offeredAs: () => lines.get(of.line)?.offer?.id };
  };

  test("leaves its line free for the id that was reported, and so do two at once", async () => {
    const { known, of, offeredAs } = await aReported();
    await statusOf(known);
    expect(await offerOf(known, of)).toBe("conflict");
    expect(offeredAs()).toBeUndefined();
    expect(await Promise.all([offerOf(known, of), offerOf(known, of)])).toEqual(["conflict", "conflict"]);
    expect(offeredAs()).toBeUndefined();
    expect(await offerOf({ ...known, missed: known.reported }, of)).toBe("duplicate");
    expect(offeredAs()).toBe(known.reported.id);
    expect(await creditedOf(known)).toEqual([known.reported.id]);
  });

  test.each([
    ["is still open", async () => {}],
    ["is matched by its session", () => Promise.reject(new Problem("conflict", "The line is matched."))],
  ])(
    "and dies before its line is released is repeated while the line %s, which is free then",
    async (_how, claimed) => {
      const { known, of, offeredAs } = await aReported();
      await statusOf(known);
      let releases = 0;
      whileReleased(async () => {
        if (++releases === 1) throw new Problem("service_unavailable", "Killed here.");
      });
      expect(await offerOf(known, of)).toBe("service_unavailable");
      expect(offeredAs()).toBe(known.missed.id);
      whileClaimed(claimed);
      expect(await offerOf(known, of)).toBe("conflict");
      expect(offeredAs()).toBeUndefined();
    },
  );

  test("stays if it was credited before", async () => {
    const { known, of, offeredAs } = await aReported();
    expect(await offerOf(known, of)).toBe("accepted");
    // As between a restore and the reading of the offers.
    await world.owner.query("delete from missed_transfers where session_id = $1", [known.session_id]);
    expect(await statusOf(known)).toBe("accepted");
    expect(await offerOf(known, of)).toBe("conflict");
    expect(offeredAs()).toBe(known.missed.id);
  });
});

test("where the bank reports no session nothing waits", async () => {
  const { accountNumber } = await aLiveAccount();
  const known = await aSession();
  const end = await hold((tx) => claimSession(tx, transferOf(known.missed, known.session_id)));
  expect((await report(world, aReport(accountNumber))).body.status).toBe("accepted");
  await end("commit");
});

test("the session of an offer is found by its index", async () => {
  const client = await world.pool.connect();
  onTestFinished(() => client.release());
  const { rows } = await client.query(`explain select intake_id from inbound_transfers t
    where t.mode = 'live' and t.bank = '729' and t.session_id = '1' and t.intake_id <> 'int_1' limit 1`);
  expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toContain("inbound_transfers_live_session");
});
