import { browseAuditLogs, browseMerchants, resumeMerchant, suspendMerchant, type WireInput } from "@collect/contracts";
import { randomId } from "@collect/testing";
import { expect, test } from "vitest";
import { aSignUp } from "./people.ts";
import { save, submit, useVerification, world } from "./verification-world.ts";

useVerification();

const browse = async (filter: WireInput<typeof browseMerchants>) => await world.others.request(browseMerchants, filter);
const idsOf = async (filter: WireInput<typeof browseMerchants>) =>
  (await browse(filter)).data.map(({ merchant_id }) => merchant_id);

test("operators find merchants by id and the beginning of the name, and page through all of them by their standing", async () => {
  const ids = [await aSignUp(world), await aSignUp(world), await aSignUp(world)];
  const [draft = "", submitted = "", suspended = ""] = ids;
  await save(submitted, {});
  await submit(submitted);
  await world.others.request(suspendMerchant, { merchant_id: suspended, reason: "Chargebacks" });
  await world.owner.query("update merchants set name = '50%_off ' || id where id = $1", [draft]);

  expect(await idsOf({ search: draft })).toEqual([draft]);
  expect(await idsOf({ search: "50%_OFF" })).toEqual([draft]);
  expect(await idsOf({ search: "5%" })).toEqual([]);
  expect(await idsOf({ search: randomId("none") })).toEqual([]);
  expect((await idsOf({ standing: "draft" })).filter((id) => ids.includes(id))).toEqual([draft]);
  expect((await idsOf({ standing: "submitted" })).filter((id) => ids.includes(id))).toEqual([submitted]);
  expect((await browse({ search: suspended })).data).toEqual([
    expect.objectContaining({
      ...{ standing: "suspended", verified: false },
      suspension: expect.objectContaining({ reason: "Chargebacks" }),
    }),
  ]);

  const found: string[] = [];
  for (let after: string | undefined, pages = 0; pages < 50; pages++) {
    const page = await browse({ limit: "2", after });
    found.push(...page.data.map(({ merchant_id }) => merchant_id));
    if (page.next === null) break;
    after = page.next;
  }
  expect(new Set(found).size).toBe(found.length);
  expect(found.filter((id) => ids.includes(id))).toEqual(ids.toReversed());
  await expect(browse({ after: "made up" })).rejects.toMatchObject({ code: "validation_failed" });
  await world.others.request(resumeMerchant, { merchant_id: suspended, reason: "Reviewed" });
});

test("operators read the acts about all merchants, or about one, newest first and page by page", async () => {
  const [one, other] = [await aSignUp(world), await aSignUp(world)];
  for (const merchant_id of [one, other, one])
    await world.others.request(suspendMerchant, { merchant_id, reason: `For ${merchant_id}` });
  const read = async (filter: WireInput<typeof browseAuditLogs>) => {
    const page = await world.others.request(browseAuditLogs, filter);
    return { next: page.next, about: page.data.map(({ merchant_id }) => merchant_id), data: page.data };
  };
  const first = await read({ limit: "2" });
  expect(first.about).toEqual([one, other]);
  expect((await read({ limit: "1", after: first.next ?? "" })).about).toEqual([one]);
  const ofOne = await read({ merchant_id: one, limit: "1" });
  expect(ofOne.data).toEqual([
    expect.objectContaining({
      action: "merchant.suspended",
      outcome: "done",
      actor: expect.objectContaining({ label: "tester" }),
    }),
  ]);
  expect((await read({ merchant_id: one, after: ofOne.next ?? "" })).about).toEqual([one]);
  await expect(read({ after: "made up" })).rejects.toMatchObject({ code: "validation_failed" });
});
