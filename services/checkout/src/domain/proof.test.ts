import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { solve } from "../page/browser/proof.js";
import { challengeFor, DIFFICULTY, difficultyFor, solvedNonce, zeroBitsOf } from "./proof.ts";

const key = randomBytes(32);
const now = new Date("2026-11-22T10:00:00Z");
const purpose = { action: "open", mode: "live", merchantId: "mer_1", client: "203.0.113.7" };
const check = { key, now, difficultyNow: 8 };
const challenge = challengeFor(purpose, 8, { key, nonce: "n1", now });
const proof = await solve(challenge);

test("what a browser solves is accepted for its purpose, until it expires", () => {
  expect(solvedNonce(purpose, proof, check)).toBe("n1");
  expect(solvedNonce(purpose, proof, { ...check, now: new Date(now.getTime() + 299_999) })).toBe("n1");
  expect(solvedNonce(purpose, proof, { ...check, now: new Date(now.getTime() + 300_000) })).toBeUndefined();
});

test.each([
  { ...purpose, action: "pay" },
  { ...purpose, mode: "test" },
  { ...purpose, merchantId: "mer_2" },
  { ...purpose, client: "198.51.100.9" },
])("a proof is worth nothing for $action, $mode, $merchantId, $client", (other) => {
  expect(solvedNonce(other, proof, check)).toBeUndefined();
});

test("a proof that was found ahead is worth nothing once the work has doubled twice", () => {
  expect(solvedNonce(purpose, proof, { ...check, difficultyNow: 9 })).toBe("n1");
  expect(solvedNonce(purpose, proof, { ...check, difficultyNow: 10 })).toBeUndefined();
});

test("neither easier terms nor another key nor an unsolved challenge is accepted", () => {
  const unsolved = [...Array(1_000).keys()]
    .map((n) => `${challenge.challenge}.${n}`)
    .find((text) => zeroBitsOf(text) < 8);
  for (const other of [
    proof.replace(/^8/, "0"),
    proof.replace(".n1.", ".n2."),
    unsolved ?? "",
    "",
    "8.n1",
    `${proof}x`,
  ])
    expect(solvedNonce(purpose, other, check), other).toBeUndefined();
  expect(solvedNonce(purpose, proof, { ...check, key: randomBytes(32) })).toBeUndefined();
});

test("the browser's own SHA-256 finds what the server's accepts, for messages of any length", async () => {
  for (let length = 40; length < 140; length++) {
    const text = "a".repeat(length);
    const solved = await solve({ challenge: text, difficulty: 4 });
    expect(solved.startsWith(`${text}.`)).toBe(true);
    expect(zeroBitsOf(solved)).toBeGreaterThanOrEqual(4);
  }
});

test("a client's work doubles with each of its budgets; under pressure from all, a payer's stays bearable", () => {
  expect([0, 1, 1.9, 2, 3, 4].map((client) => difficultyFor({ client, shared: 0 }))).toEqual([14, 14, 14, 15, 16, 17]);
  expect([0, 1, 1.9, 2, 4].map((shared) => difficultyFor({ client: 0, shared }))).toEqual([14, 14, 15, 16, 18]);
  expect(difficultyFor({ client: 1_000, shared: 0 })).toBe(DIFFICULTY.clientMax);
  expect(difficultyFor({ client: 0, shared: 1_000_000 })).toBe(DIFFICULTY.sharedMax);
});
