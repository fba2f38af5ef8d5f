import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Client, createClient, type FollowOptions } from "../src/index.ts";
import { type Api, hangUp, json, problem, type Reply, silence, startApi } from "./api.ts";

let api: Api;
let client: Client;

beforeEach(async () => {
  api = await startApi();
  client = createClient({ key: "sk_test_abc", baseUrl: api.baseUrl, retries: 0 });
});
afterEach(() => api.stop());

const events = (...sequences: number[]): Reply => page(sequences);
function page(sequences: number[], headers: Record<string, string> = {}): Reply {
  return json(200, { data: sequences.map((sequence) => ({ sequence })), has_more: false }, headers);
}

/** The numbers of the next `count` events. */
async function follow(count: number, options: FollowOptions = {}): Promise<number[]> {
  const found: number[] = [];
  for await (const { sequence } of client.followEvents(options)) if (found.push(sequence) === count) break;
  return found;
}
const asked = () =>
  api.asked.map(({ path }) => {
    const { searchParams } = new URL(path, api.baseUrl);
    return ["after_sequence", "wait"].map((name) => Number(searchParams.get(name)));
  });

test("the log is read from its beginning, in order, and each call waits for what comes next", async () => {
  api.reply(events(1, 2), events(), events(3));
  expect(await follow(3)).toEqual([1, 2, 3]);
  expect(asked()).toEqual([
    [0, 50],
    [2, 50],
    [2, 50],
  ]);
});

test("it goes on after a number, whose event is read once more and not returned again", async () => {
  api.reply(events(7, 8), events(9));
  expect(await follow(2, { after_sequence: 7 })).toEqual([8, 9]);
  expect(asked()).toEqual([
    [6, 0],
    [8, 50],
  ]);
});

test("outages are waited out without losing or repeating an event", async () => {
  api.reply(events(1), hangUp, problem(500, "internal_error"), events(2), silence);
  expect(await follow(2)).toEqual([1, 2]);
  expect(asked().map(([after]) => after)).toEqual([0, 1, 1, 1]);
});

test("what waiting does not mend is thrown", async () => {
  api.reply(events(1), problem(401, "invalid_key"));
  await expect(follow(2)).rejects.toMatchObject({ status: 401, code: "invalid_key" });
});

describe("a missing number", () => {
  test("is looked for again, and then thrown with the number to go on from", async () => {
    api.reply(events(1), events(2, 5), events(5));
    const found: number[] = [];
    const following = (async () => {
      for await (const { sequence } of client.followEvents()) found.push(sequence);
    })();
    await expect(following).rejects.toMatchObject({
      status: null,
      code: "event_gap",
      detail: expect.stringMatching(/no events 3 to 4\..*after_sequence 4\./),
    });
    expect(found).toEqual([1, 2]);
  });

  test("that is there the next time is no gap", async () => {
    api.reply(events(2), events(1, 2));
    expect(await follow(2)).toEqual([1, 2]);
  });

  test("is passed by going on from there", async () => {
    api.reply(events(5, 6), events());
    expect(await follow(2, { after_sequence: 4 })).toEqual([5, 6]);
  });

  test("at the place to go on from means that it is another log", async () => {
    api.reply(events());
    await expect(follow(1, { after_sequence: 812 })).rejects.toMatchObject({
      code: "event_gap",
      detail: expect.stringMatching(/ends before event 812/),
    });
  });
});

describe("aborting", () => {
  test("ends the iteration without an error, while it waits for the API", async () => {
    api.reply(events(1), silence);
    const controller = new AbortController();
    const found = follow(2, { signal: controller.signal });
    await expect.poll(() => api.asked.length).toBe(2);
    controller.abort();
    expect(await found).toEqual([1]);
  });

  test("ends it while it waits after a failure, and within a page", async () => {
    api.reply(problem(429, "rate_limited", { "retry-after": "1800" }));
    const first = new AbortController();
    const found = follow(1, { signal: first.signal });
    await expect.poll(() => api.asked.length).toBe(1);
    first.abort();
    expect(await found).toEqual([]);

    api.reply(events(1, 2, 3));
    const second = new AbortController();
    const handled: number[] = [];
    for await (const { sequence } of client.followEvents({ signal: second.signal })) {
      handled.push(sequence);
      second.abort();
    }
    expect(handled).toEqual([1]);
  });
});

test("once half of the budget is used, calls keep the distance that leaves the other half to others", async () => {
  const budget = (remaining: number, windowS: number) => ({
    "ratelimit-policy": `"reads";q=8;w=${windowS}`,
    ratelimit: `"reads";r=${remaining};t=1`,
  });
  // A quarter of either window is the distance: of the first, far more than a test may take.
  api.reply(page([1], budget(5, 4_000)), page([2], budget(4, 4)), page([3]));
  const began = performance.now();
  expect(await follow(3)).toEqual([1, 2, 3]);
  expect((api.asked[2]?.at ?? 0) - began).toBeGreaterThanOrEqual(990);
});
