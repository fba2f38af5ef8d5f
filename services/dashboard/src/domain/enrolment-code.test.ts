import { expect, test } from "vitest";
import { enrolmentCode, isCodeOf, spaced } from "./enrolment-code.ts";

const [old, current] = ["the former secret", "the present secret"];
const occasion = "enrol_factor:ses_1:1";

test("a code is eight digits of its occasion, however it is typed", () => {
  const code = enrolmentCode(current, occasion);
  expect(code).toMatch(/^\d{8}$/);
  for (const typed of [code, spaced(code), ` ${spaced(code)} `, `${code.slice(0, 4)}-${code.slice(4)}`])
    expect(isCodeOf([current], occasion, typed)).toBe(true);
});

test("the code of another session, another number and an empty one are not it", () => {
  const code = enrolmentCode(current, occasion);
  expect(isCodeOf([current], "enrol_factor:ses_2:1", code)).toBe(false);
  expect(isCodeOf([current], occasion, String((Number(code) + 1) % 100_000_000).padStart(8, "0"))).toBe(false);
  for (const typed of ["", code.slice(1), `${code}0`]) expect(isCodeOf([current], occasion, typed)).toBe(false);
});

test("a code that was mailed under the former secret works while both are valid, and no longer", () => {
  const code = enrolmentCode(old, occasion);
  expect(isCodeOf([current, old], occasion, code)).toBe(true);
  expect(isCodeOf([current], occasion, code)).toBe(false);
});
