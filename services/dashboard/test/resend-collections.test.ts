import { eventsOfCollections, Problem, replayEvent } from "@collect/contracts";
import { expect, test } from "vitest";
import { aMember } from "./dashboard.ts";
import { useDashboard } from "./world.ts";

const { world, dashboard, others } = await useDashboard();
const support = await aMember(world, dashboard, { merchantId: "mer_resend", role: "support" });
const resend = (...references: string[]) => support.post("/api/m/mer_resend/test/collections/resend", { references });

/** `col_1` is event 1, and so on; `col_new` has none yet. The events above 7 cannot be sent. */
others.reply(eventsOfCollections, ({ references }) => ({
  events: references.flatMap((reference) => {
    const sequence = Number(reference.replace("col_", ""));
    return Number.isNaN(sequence) ? [] : [{ reference, id: `evt_${sequence}`, sequence }];
  }),
}));
others.reply(replayEvent, ({ sequence }) => {
  if (Number(sequence) > 7) throw new Problem("conflict", "No webhook URL is set.");
  const at = "2026-11-21T09:30:00.000+00:00";
  return {
    ...{
      number: 1,
      sequence: Number(sequence),
      event: "collection.success",
      reference: "col",
      url: "https://shop.example",
    },
    ...{ status: "pending" as const, attempts: 0, last_status: null, next_attempt_at: null, created_at: at },
  };
});
const replayed = () => others.askedOf(replayEvent).map(({ sequence }) => sequence);

test("each selected collection's event is resent once, and each is answered for", async () => {
  others.asked.length = 0;
  const { status, body } = await resend("col_1", "col_2", "col_1", "col_new", "col_9");
  expect([status, body]).toEqual([
    200,
    {
      lines: [
        { reference: "col_1", outcome: "done", detail: null },
        { reference: "col_2", outcome: "done", detail: null },
        { reference: "col_new", outcome: "refused", detail: expect.stringContaining("isn't recorded yet") },
        { reference: "col_9", outcome: "refused", detail: "No webhook URL is set." },
      ],
    },
  ]);
  expect(replayed()).toEqual(["1", "2", "9"]);
  expect(others.audited.at(-1)).toMatchObject({ action: "collections.resent", outcome: "done" });
});

test("if nothing can be sent, the reason is given", async () => {
  const { status, body } = await resend("col_8", "col_9");
  expect([status, body.code, body.detail]).toEqual([409, "conflict", "No webhook URL is set."]);
});

test("more than 50, none, and a role that may not are refused, and nothing is sent", async () => {
  others.asked.length = 0;
  expect((await resend()).body.code).toBe("validation_failed");
  expect((await resend(...Array.from({ length: 51 }, (_, n) => `col_${n}`))).body.code).toBe("validation_failed");
  const viewer = await aMember(world, dashboard, { merchantId: "mer_resend", role: "viewer" });
  const refused = await viewer.post("/api/m/mer_resend/test/collections/resend", { references: ["col_1"] });
  expect([refused.status, refused.body.code, replayed()]).toEqual([403, "role_required", []]);
});
