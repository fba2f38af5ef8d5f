import { redriveReversals } from "@collect/contracts";
import { afterAll, expect, test } from "vitest";
import { answer, type RedrivenReversal, redriveReversalsUntilStored, serveRequests } from "../src/index.ts";
import { connectToAll, log, useBus } from "./world.ts";

/** A recovery waits for the reversals that accounts drives, as long as they can come. */

const { bus, world } = await useBus("ledger");
const accounts = await connectToAll(world.nats().url, "accounts");
afterAll(() => accounts.close());
const AT = "2026-11-21T09:30:00.000+00:00";
const PAGE = 2;
const rows: RedrivenReversal[] = ["int_1", "int_2", "int_3", "int_4"].map((intake_id, index) => ({
  ...{ intake_id, credit_id: "int_0", merchant: null, allocated: false },
  received_at: new Date(Date.parse(AT) + index).toISOString(),
}));
const closed = new Set<string>();
const list = answer(redriveReversals, async ({ after }) => {
  const page = rows.filter(({ intake_id }) => !closed.has(intake_id) && intake_id > (after?.key ?? "")).slice(0, PAGE);
  const last = page.at(-1);
  return { rows: page, next: last && page.length === PAGE ? { at: last.received_at, key: last.intake_id } : null };
});
await serveRequests(accounts, { service: "accounts", log, requests: [list] }).start();

test("what is closed meanwhile is waited for no more; what is not is waited for until it is stored", async () => {
  const stored = new Set(["int_1"]);
  const waited: string[][] = [];
  const recovery = { id: 1n, restoredTo: AT, noticedAt: AT, step: "reversals", finishedAt: null };
  await redriveReversalsUntilStored({
    ...{ bus, recovery, step: "reversals", stalledMs: 1 },
    progress: {
      step: async () => {},
      waitsFor(missing) {
        waited.push(missing);
        if (missing.includes("int_2")) closed.add("int_2");
        else if (waited.length > 3) stored.add("int_3");
      },
      signal: AbortSignal.timeout(20_000),
    },
    missing: async (page) => {
      if (stored.has("int_3")) stored.add("int_4");
      return page.map(({ intake_id }) => intake_id).filter((id) => !stored.has(id));
    },
  });
  expect(waited.slice(0, 2)).toEqual([["int_2"], ["int_3", "int_4"]]);
  expect(stored.has("int_4")).toBe(true);
});
