import { expect, test } from "vitest";
import { actionWords, detailWords } from "./audit-words.ts";

const names = new Map([["usr_2", "Emeka Obi"]]);

test("an act that this page does not know yet is shown by its name, not left out", () => {
  expect(actionWords("transfer.made")).toBe("Made a transfer");
  expect(actionWords("ledger.account_closed")).toBe("ledger account closed");
});

test("a member is called by name, and by the id once they have left", () => {
  expect(detailWords({ user_id: "usr_2", role: "owner" }, names)).toBe("Emeka Obi, role: owner");
  expect(detailWords({ user_id: "usr_9" }, names)).toBe("usr_9");
});

test("what was not given is left out of the detail; no and nought are not nothing", () => {
  expect(detailWords({ title: "", expires_at: null, disabled: false, uses_max: 0 }, names)).toBe(
    "disabled: false, uses max: 0",
  );
  expect(detailWords({}, names)).toBe("–");
});
