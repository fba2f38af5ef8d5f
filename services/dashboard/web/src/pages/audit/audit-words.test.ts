import { expect, test } from "vitest";
import { actionWords, detailWords } from "./audit-words.ts";

const names = new Map([["usr_2", "Emeka Obi"]]);

test("an action unknown to this page is shown by its name, not omitted", () => {
  expect(actionWords("transfer.made")).toBe("Created a transfer");
  expect(actionWords("ledger.account_closed")).toBe("ledger account closed");
});

test("a member is shown by name, and by id after leaving", () => {
  expect(detailWords({ user_id: "usr_2", role: "owner" }, names)).toBe("Emeka Obi, role: owner");
  expect(detailWords({ user_id: "usr_9" }, names)).toBe("usr_9");
});

test("absent values are omitted from the detail; false and 0 are not", () => {
  expect(detailWords({ title: "", expires_at: null, disabled: false, uses_max: 0 }, names)).toBe(
    "disabled: false, uses max: 0",
  );
  expect(detailWords({}, names)).toBe("–");
});
