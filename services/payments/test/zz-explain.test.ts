import { BY_KEYS, createPool } from "@collect/database";
import { openWorld } from "@collect/testing";
import { afterAll, beforeAll, test } from "vitest";
import { findCandidates } from "../src/store/candidates.ts";
import { readCollections } from "../src/store/collections.ts";
import { countOverdueSessions, pageOfDue, releaseLapsedSlots } from "../src/store/due-sessions.ts";
import { releaseSlots, takeOverSlot, tryToOpen } from "../src/store/opening.ts";
import { findPayable } from "../src/store/payable-sessions.ts";
import { receivedMinutes } from "../src/store/received-minutes.ts";
import { findPaymentOf, lockSessions, readSessionsOf, storeSessions } from "../src/store/sessions.ts";
import { findTransfer } from "../src/store/transfers.ts";
import { directory } from "./sessions-world.ts";

test("explain", async () => {
  const world = await openWorld({ service: "payments", directory });
  const pool = createPool({
    url: world.database.service,
    service: "payments",
    log: world.log,
    max: 1,
    settings: BY_KEYS,
  });
  const tx: any = {
    query: async ({ text, values }: any) => {
      const lit = (v: any): string =>
        v == null
          ? "null"
          : Array.isArray(v)
            ? `array[${v.map(lit).join(",")}]`
            : typeof v === "bigint" || typeof v === "number"
              ? String(v)
              : typeof v === "boolean"
                ? String(v)
                : `'${v}'`;
      await pool.query(`prepare q as ${text}`);
      const { rows } = await pool.query(
        values.length
          ? `explain execute q(${values.map((v: any, i: number) => lit(v) + (text.includes("from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[]") ? ["::text[]", "::text[]", "::text[]", "::text[]", "::bigint[]", "::timestamptz[]", "::boolean[]"][i] : "")).join(",")})`
          : "explain execute q",
      );
      await pool.query(`deallocate q`);
      console.log(
        text.slice(0, 90).replaceAll("\n", " ") +
          "\n" +
          rows
            .map((r: any) => r["QUERY PLAN"])
            .filter((l: string) => /Index|Bitmap|Seq/.test(l))
            .join("\n"),
      );
      return { rows: [] };
    },
  };
  const m = { id: "mer_1", mode: "test" as const };
  const t = "2026-11-21T09:30:00.000+00:00";
  const ok = async (p: Promise<unknown>) => {
    try {
      await p;
    } catch (e) {
      if (!/always answers/.test(String(e))) console.log(String(e));
    }
  };
  await ok(
    tryToOpen(tx, {
      reference: "p",
      merchantId: "m",
      mode: "test",
      merchantName: "a",
      merchantReference: "r",
      openedBy: "secret_key",
      amountRequested: 5n,
      customerReference: null,
      customerName: null,
      detailsRequired: true,
      description: null,
      redirectUrl: null,
      account: undefined,
      amountLimit: 5n,
      expiryS: 5,
      watchS: 5,
      start: 3,
    }),
  );
  await ok(releaseSlots(tx, { mode: "test", accounts: ["1"], amountRequested: 5n }));
  await ok(takeOverSlot(tx, { mode: "test", accountNumber: "1", amountRequested: 5n }));
  await ok(
    findCandidates(tx, [{ intakeId: "i", merchant: m, accountNumber: "1", customer: null, amount: 5n, receivedAt: t }]),
  );
  for (const by of [{ reference: "a" }, { account_number: "1" }, { amount: 5n }]) await ok(findPayable(tx, m, by));
  await ok(pageOfDue(tx, { graceMs: 1, after: undefined, pageMax: 500 }));
  await ok(releaseLapsedSlots(tx, 500));
  await ok(countOverdueSessions(tx));
  await ok(findPaymentOf(tx, m, "a"));
  await ok(readSessionsOf(tx, ["a"]));
  await ok(lockSessions(tx, ["a"]));
  await ok(readCollections(tx, ["a"]));
  await ok(receivedMinutes(tx, { from: t, to: t }));
  await ok(findTransfer(tx, m, "a"));
  await pool.end();
  await world.close();
});
