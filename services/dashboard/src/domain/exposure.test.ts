import { expect, test } from "vitest";
import { exposuresOf, exposuresOfSecret, type FormerRole, type SeenKey } from "./exposure.ts";

const key: SeenKey = {
  id: "1",
  kind: "secret",
  mode: "live",
  scopes: [],
  created_at: "2026-05-01T10:00:00.000+00:00",
  expires_at: null,
  made_by: { kind: "member", user_id: "ada" },
};
const ada: FormerRole = {
  user_id: "ada",
  name: "Ada Obi",
  email: "ada@example.com",
  role: "owner",
  until: "2026-05-03T10:00:00.000+00:00",
  present: null,
};
const nobody = new Set<string>();
const exposed = (changed: Partial<SeenKey> = {}, former: FormerRole[] = [ada], kept: ReadonlySet<string> = nobody) =>
  exposuresOf({ ...key, ...changed }, former, { kept, shownTo: nobody }).map(({ user_id, made_it }) => [
    user_id,
    made_it,
  ]);

test("a key is exposed to the person who made it and has left, until it is rolled, revoked or kept", () => {
  expect(exposed()).toEqual([["ada", true]]);
  expect(exposed({ expires_at: "2026-05-04T10:00:00.000+00:00" })).toEqual([]);
  expect(exposed({}, [ada], new Set(["ada"]))).toEqual([]);
  expect(exposed({}, [])).toEqual([]);
});

test("it is exposed to a person whose role has lost the key, and to nobody whose role still has it", () => {
  expect(exposed({}, [{ ...ada, present: "developer" }])).toEqual([["ada", true]]);
  expect(exposed({}, [{ ...ada, role: "developer", present: "owner" }])).toEqual([]);
  expect(exposed({ mode: "test" }, [{ ...ada, present: "developer" }])).toEqual([]);
  expect(exposed({ mode: "test" }, [{ ...ada, present: "finance" }])).toEqual([["ada", true]]);
});

test("who was shown a key that another made has seen it", () => {
  const shownTo = new Set(["ada"]);
  const madeByEmeka = { ...key, made_by: { kind: "member", user_id: "emeka" } };
  expect(exposuresOf(madeByEmeka, [ada], { kept: nobody, shownTo })).toMatchObject([
    { user_id: "ada", made_it: false },
  ]);
  expect(exposuresOf(madeByEmeka, [ada], { kept: new Set(["ada"]), shownTo })).toEqual([]);
});

test("nobody else has seen a key that a member made", () => {
  expect(exposed({ made_by: { kind: "member", user_id: "emeka" } })).toEqual([]);
});

test("a key that the operator made, or nobody knows who, may have been seen by whoever could have made it since", () => {
  for (const made_by of [{ kind: "operator" }, null]) {
    expect(exposed({ made_by })).toEqual([["ada", false]]);
    expect(exposed({ made_by }, [{ ...ada, role: "developer" }])).toEqual([]);
    expect(exposed({ made_by, mode: "test" }, [{ ...ada, role: "developer" }])).toEqual([["ada", false]]);
    expect(exposed({ made_by, created_at: "2026-05-04T10:00:00.000+00:00" })).toEqual([]);
  }
});

test("a public key is no secret", () => {
  expect(exposed({ kind: "public" })).toEqual([]);
});

test("a person is named once, with their last day", () => {
  const former = [ada, { ...ada, until: "2026-05-02T10:00:00.000+00:00" }];
  expect(exposuresOf(key, former, { kept: nobody, shownTo: nobody }).map(({ until }) => until)).toEqual([ada.until]);
});

test("a signing secret is exposed to whoever was shown it and may not see it any more", () => {
  const shown = new Set(["ada"]);
  const people = (former: FormerRole[]) => exposuresOfSecret(shown, former).map(({ user_id }) => user_id);
  expect(people([ada, { ...ada, user_id: "emeka" }])).toEqual(["ada"]);
  expect(people([{ ...ada, present: "support" }])).toEqual(["ada"]);
  expect(people([{ ...ada, present: "developer" }])).toEqual([]);
});
