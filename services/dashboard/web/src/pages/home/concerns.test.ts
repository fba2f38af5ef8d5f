import { expect, test } from "vitest";
import { concernsOf } from "./concerns.ts";

const quiet = { quarantined: 0, unfinished: 0 };
const healthy = { url: "https://shop.example/hook", unconfirmed_url: null, failing: 0, exhausted: 0, hold: null };
const approved = { state: "approved", reason: null } as const;
const known = { exceptions: quiet, health: healthy, verification: approved, isNew: false, mode: "live" } as const;
const whatOf = (changed: Partial<Parameters<typeof concernsOf>[0]>) =>
  concernsOf({ ...known, ...changed }).map(({ what }) => what);

test("when all is well nothing needs attention, and neither does a figure that has not loaded", () => {
  expect(concernsOf(known)).toEqual([]);
  expect(concernsOf({ isNew: false, mode: "live" })).toEqual([]);
});

test("a single quarantined transfer is singular; a count at its limit says that there may be more", () => {
  expect(whatOf({ exceptions: { quarantined: 1, unfinished: 0 } })).toEqual(["1 incoming transfer on hold."]);
  expect(whatOf({ exceptions: { quarantined: 100, unfinished: 3 } })).toEqual([
    "100 or more incoming transfers on hold.",
    "3 payments delayed by more than a minute.",
  ]);
});

test("files that wait for a second person are not counted as transfers, of which there are none yet", () => {
  expect(whatOf({ files: 1 })).toEqual(["1 bulk transfer waits for approval."]);
  expect(whatOf({ files: 2, awaiting: 1 })).toEqual([
    "1 transfer waits for approval.",
    "2 bulk transfers wait for approval.",
  ]);
});

test("events being retried and events that failed for good each link to their deliveries", () => {
  const concerns = concernsOf({ ...known, health: { ...healthy, failing: 2, exhausted: 1_000 } });
  expect(concerns.map(({ what, path }) => [what, path])).toEqual([
    ["Your server did not accept 2 events.", "developers/deliveries?status=failing"],
    [
      "1,000 or more events were not accepted in 16 attempts, over about 72 hours.",
      "developers/deliveries?status=exhausted",
    ],
  ]);
});

test("a held webhook, and a paused one, say how many events wait; a release does not need anybody", () => {
  const hold = { since: "2026-11-22T09:30:00.000+00:00", waiting: 12, next_attempt_at: null, seconds_left: null };
  const concern = (state: "held" | "paused" | "releasing") =>
    concernsOf({ ...known, health: { ...healthy, failing: 3, hold: { ...hold, state } } }).map(
      ({ what, meaning }) => `${what} ${meaning}`,
    );
  expect(concern("held")).toEqual([
    "Your server is failing, and your events are held. 12 events wait. They are sent in order once your server accepts one.",
  ]);
  expect(concern("paused")).toEqual([
    "Your webhook is paused. 12 events wait. They are sent in order once it is resumed.",
  ]);
  expect(concern("releasing")).toEqual([]);
  const lost = { ...hold, state: "paused" as const, lost_change_at: "2026-11-22T09:00:00.000+00:00" };
  expect(concernsOf({ ...known, health: { ...healthy, hold: lost } }).map(({ meaning }) => meaning)).toEqual([
    "12 events wait. After a restore of our records its URL or signing secret may be an earlier one. Check them, and then resume it.",
  ]);
});

test("a new merchant is not warned about a webhook and a verification that come later", () => {
  const begun = { health: { ...healthy, url: null }, verification: { state: "draft", reason: null } } as const;
  expect(whatOf({ ...begun, isNew: true, mode: "test" })).toEqual([]);
  expect(whatOf({ ...begun, isNew: false, mode: "test" })).toEqual([
    "No webhook URL is set.",
    "Your business is not verified.",
  ]);
  expect(whatOf({ ...begun, isNew: true, mode: "live" })).toEqual(["Your business is not verified."]);
});

test("a URL that has not answered its challenge is named, with where events go until it does", () => {
  const waiting = { ...healthy, unconfirmed_url: "https://new.example/hook" };
  const concernOf = (health: typeof waiting | (Omit<typeof waiting, "url"> & { url: null })) =>
    concernsOf({ ...known, health }).map(({ what, meaning }) => [what, meaning]);
  expect(concernOf(waiting)).toEqual([
    ["Your webhook URL hasn't answered its challenge.", "Events go to the previous URL until it does."],
  ]);
  expect(concernOf({ ...waiting, url: null })).toEqual([
    ["Your webhook URL hasn't answered its challenge.", expect.stringMatching(/Events are stored/)],
  ]);
});

test("a verification that needs changes says why, even to a new merchant", () => {
  const verification = { state: "returned", reason: "The RC number is another company's." } as const;
  const [concern] = concernsOf({ ...known, verification, isNew: true, mode: "test" });
  expect([concern?.what, concern?.meaning]).toEqual([
    "Your business verification needs changes.",
    "Reason: The RC number is another company's.",
  ]);
});

test("a signing secret that somebody who has left was shown is to be replaced", () => {
  const secret = [
    {
      user_id: "usr_2",
      name: "Ada Obi",
      email: "ada@example.com",
      until: "2026-05-03T10:00:00.000+00:00",
      present: null,
      made_it: false,
    },
  ];
  expect(concernsOf({ ...known, secret }).map(({ what, meaning }) => [what, meaning])).toEqual([
    [
      "Ada Obi may still know your webhook's signing secret.",
      "Ada Obi left on 3 May 2026 and was shown this secret. Anyone who has it can send your server forged events.",
    ],
  ]);
});

test("keys that somebody who has left may know are one concern, with why and what to do", () => {
  const person = {
    user_id: "usr_2",
    name: "Ada Obi",
    email: "ada@example.com",
    until: "2026-05-03T10:00:00.000+00:00",
    present: null,
    made_it: true,
  };
  const key = { prefix: "sk_live_", last_four: "3xYz", name: null, exposed_to: [person] };
  const rest = "Roll or revoke what that person could see, or decide to keep it.";
  const concerns = (...keys: Partial<typeof key>[]) =>
    concernsOf({ ...known, keys: keys.map((one) => ({ ...key, ...one })) }).map(({ what, meaning }) => [what, meaning]);
  expect(concerns({}, { exposed_to: [] })).toEqual([
    ["Ada Obi may still know sk_live_…3xYz.", `Ada Obi left on 3 May 2026. ${rest}`],
  ]);
  const changed = { ...person, user_id: "usr_3", name: "Emeka Obi", present: "finance" as const };
  expect(concernsOf({ ...known, keys: [key, { ...key, exposed_to: [person, changed] }] })).toMatchObject([
    { what: "Ada Obi and others may still know 2 of your keys.", path: "developers/keys" },
  ]);
  expect(concernsOf({ ...known, keys: [{ ...key, name: "ERP", exposed_to: [changed] }] })).toMatchObject([
    {
      what: "Emeka Obi may still know “ERP” (sk_live_…3xYz).",
      meaning: `Emeka Obi became finance on 3 May 2026. ${rest}`,
    },
  ]);
});
