import { REQUESTS, sessionChanged, transferReceived } from "@collect/contracts";
import { expect, test } from "vitest";
import type { Bus, Consumer, Request } from "../src/index.ts";
import { fulfilContracts } from "../src/index.ts";
import { log } from "./world.ts";

/** Nothing is started here: the contracts are held against the lists alone. */
const checkout = (consumers: Consumer[], requests: Request[]) =>
  fulfilContracts({} as Bus, { service: "checkout", log, consumers, requests });

const handled = (event: Consumer["event"]): Consumer => ({ event, batchMax: 1, handle: async () => {} });
const answers: Request[] = REQUESTS.filter(({ to }) => to === "checkout").map((contract) => ({
  contract,
  answer: async () => ({}),
}));

test("a service that consumes and answers exactly what names it can start", () => {
  expect(checkout([handled(sessionChanged)], answers).map(({ name }) => name)).toEqual(["requests"]);
});

test.each([
  ["lacks a consumer", [], answers, /checkout consumes .* missing: payments\.session\.changed\.v1/],
  [
    "consumes what names others",
    [handled(sessionChanged), handled(transferReceived)],
    answers,
    /checkout consumes .* too much: accounts\.transfer\.received\.v1/,
  ],
  ["lacks an answer", [handled(sessionChanged)], answers.slice(1), /checkout answers .* missing: checkout\./],
  ["answers twice", [handled(sessionChanged)], [...answers, ...answers.slice(0, 1)], /too much: checkout\./],
])("one that %s cannot", (_what, consumers, requests, said) => {
  expect(() => checkout(consumers, requests)).toThrow(said);
});
