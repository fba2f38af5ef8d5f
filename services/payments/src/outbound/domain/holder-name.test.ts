import { expect, test } from "vitest";
import { NAMED_FROM, shownName } from "./holder-name.ts";

const withheld = { accountName: "NGOZI  ADA-EZE", nameWithheld: true, amount: NAMED_FROM };

test("a withheld name is its initials until the money was sent, and for less than ₦100 afterwards too", () => {
  for (const status of ["pending", "failed", "reversed"] as const)
    expect(shownName(withheld, status)).toBe("N*** A***");
  expect(shownName(withheld, "success")).toBe("NGOZI  ADA-EZE");
  expect(shownName({ ...withheld, amount: NAMED_FROM - 1n }, "success")).toBe("N*** A***");
});

test("a name that is not withheld is shown in every status", () => {
  for (const status of ["pending", "success", "failed", "reversed"] as const)
    expect(shownName({ ...withheld, nameWithheld: false, amount: 1n }, status)).toBe("NGOZI  ADA-EZE");
});
