import { REQUESTS, sessionChanged, transferReceived } from "@collect/contracts";
import type { ByMode, Pool } from "@collect/database";
import { expect, test } from "vitest";
import type { Bus, Consumer, Request } from "../src/index.ts";
import { fulfillContracts } from "../src/index.ts";
import { log } from "./world.ts";

/** Nothing is started here: only the lists are compared with the contracts. */
const checkout = (consumers: Consumer[], requests: Request[]) =>
  fulfillContracts({} as Bus, { service: "checkout", log, pools: {} as ByMode<Pool>, consumers, requests });

const consumerOf = (event: Consumer["event"]): Consumer => ({ event, batchMax: 1, apartMs: 0, handle: async () => {} });
const allRequests: Request[] = REQUESTS.filter(
  ({ to, subject }) => to === "checkout" && !subject.includes(".dead_letters."),
).map((contract) => ({
  contract,
  answer: async () => ({}),
}));

test("a service starts if it consumes and answers exactly the contracts that name it", () => {
  expect(checkout([consumerOf(sessionChanged)], allRequests).map(({ name }) => name)).toEqual([
    "consumers",
    "requests",
  ]);
});

test.each([
  ["lacks a consumer", [], allRequests, /checkout consumes .* missing: payments\.session\.changed\.v1/],
  [
    "consumes an event of another service",
    [consumerOf(sessionChanged), consumerOf(transferReceived)],
    allRequests,
    /checkout consumes .* unexpected: accounts\.transfer\.received\.v1/,
  ],
  ["lacks an answer", [consumerOf(sessionChanged)], allRequests.slice(1), /checkout answers .* missing: checkout\./],
  [
    "answers twice",
    [consumerOf(sessionChanged)],
    [...allRequests, ...allRequests.slice(0, 1)],
    /unexpected: checkout\./,
  ],
])("a service that %s does not start", (_what, consumers, requests, message) => {
  expect(() => checkout(consumers, requests)).toThrow(message);
});
