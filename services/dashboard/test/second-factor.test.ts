import { addMember } from "@collect/contracts";
import { expect, test } from "vitest";
import { ENDPOINTS } from "../src/endpoints.ts";
import { startDashboard } from "./dashboard.ts";
import { bodyOf, pathOf } from "./endpoints.ts";
import { MERCHANT, usePeople } from "./world.ts";

const { world, others, people } = await usePeople();
const CONCERNING_BOTH = ENDPOINTS.filter(({ audit }) => audit?.bothModes);

/** The password of an owner or a finance member, or a session of theirs, without the second factor. */
async function withoutFactor(member: { id: string }) {
  await world.owner.query("update sessions set second_factor = false where user_id = $1", [member.id]);
}

test("what concerns both modes needs the second factor in test mode too: the team, the limits, the verification", async () => {
  expect(CONCERNING_BOTH.map(({ path }) => path).sort()).toEqual([
    "/business-profile",
    "/invitations/:id/revoke",
    "/mails",
    "/members/:user_id/remove",
    "/members/:user_id/role",
    "/members/invite",
    "/payout-limits",
    "/verification",
    "/verification/submit",
  ]);
  const { owner } = people;
  await withoutFactor(owner);
  for (const mode of ["test", "live"])
    for (const endpoint of CONCERNING_BOTH) {
      const { status, body } = await owner.post(`/api/m/${MERCHANT}/${mode}${pathOf(endpoint)}`, bodyOf(endpoint));
      expect([status, body.code], `${mode} ${endpoint.path}`).toEqual([403, "second_factor_required"]);
    }
  expect(others.asked).toEqual([]);
  // What concerns test mode alone needs none.
  const made = await owner.post(`/api/m/${MERCHANT}/test/keys/roll`, { kind: "secret", overlap_hours: 0 });
  expect(made.status).toBe(200);
});

test("a member who cannot move money leaves the team without one", async () => {
  const { viewer } = people;
  await withoutFactor(viewer);
  expect((await viewer.post(`/api/m/${MERCHANT}/test/members/${viewer.id}/remove`)).status).toBe(200);
});

test("an installation that requires none requires none here", async () => {
  others.knowMerchants();
  const optional = await startDashboard(world, { LIVE_SECOND_FACTOR: "optional" });
  const { email } = people.finance;
  await world.others.request(addMember, { merchant_id: MERCHANT, email, name: "Ada Obi", role: "owner" });
  await withoutFactor(people.finance);
  const response = await fetch(`${optional.url}/api/m/${MERCHANT}/test/payout-limits`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      origin: optional.config.APP_URL,
      cookie: [...people.finance.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    },
    body: JSON.stringify({ transfer_max: 1_000, day_max: null, approval_above: 500 }),
  });
  expect(response.status).toBe(200);
  await optional.stop();
});
