import { expect, test } from "vitest";
import { SCORE_MIN, strengthOf } from "./password-strength.ts";

const PERSONAL = ["Ngozi Okonkwo", "ngozi.okonkwo@example.com", "Okonkwo Textiles Ltd"];
const isStrong = async (password: string) => (await strengthOf(password, PERSONAL)).score >= SCORE_MIN;

test.each([
  "1234567890",
  "password123",
  "qwertyuiop",
  "P@ssw0rd2026",
  "iloveyou1234",
  "abcdefghijk",
  "xxxxxxxxxxxx",
  "ngoziokonkwo",
  "okonkwotextiles",
  "collect2026",
  "a".repeat(128),
  "aB3".repeat(42),
])("%s is easy to guess", async (password) => {
  expect(await isStrong(password)).toBe(false);
});

test.each(["mangoes dance on tuesdays", "three plain words", "correct horse battery staple", "kV7#qLw9!tRz"])(
  "%s is accepted",
  async (password) => {
    expect(await isStrong(password)).toBe(true);
  },
);

test("the longest password is estimated without holding up other users", async () => {
  const characters = Array.from({ length: 128 }, (_, n) => String.fromCharCode(33 + ((n * 7_919) % 90))).join("");
  const before = process.cpuUsage();
  await strengthOf(characters, PERSONAL);
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
});
