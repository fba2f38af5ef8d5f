import { REQUESTS } from "@collect/contracts";
import { expect, test } from "vitest";
import { inputLines, proposedWords } from "./proposed-words.ts";

test("every act that a second operator may have to approve has words", () => {
  const acts = REQUESTS.flatMap(({ operator }) =>
    typeof operator === "object" && operator.fourEyes ? [operator.action] : [],
  );
  expect(acts.length).toBeGreaterThan(15);
  expect(acts.filter((action) => !proposedWords(action))).toEqual([]);
});

test("the approver sees each field of the input as it is sent, with the merchant that it names", () => {
  expect(inputLines('{"merchant":{"id":"mer_1","mode":"live"},"merchant_id":"mer_2","fee":{"a":1},"why":"x"}')).toEqual(
    [
      { name: "merchant", value: '{"id":"mer_1","mode":"live"}', merchant: "mer_1" },
      { name: "merchant_id", value: "mer_2", merchant: "mer_2" },
      { name: "fee", value: '{"a":1}', merchant: undefined },
      { name: "why", value: "x", merchant: undefined },
    ],
  );
});
