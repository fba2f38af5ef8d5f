import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { REQUESTS } from "@collect/contracts";
import { expect, test } from "vitest";
import { ACTS } from "../../../../src/calls/merchant.ts";
import { actionWords, detailWords, hasWords, whoWords } from "./audit-words.ts";

const names = new Map([["usr_2", "Emeka Obi"]]);

test("an action unknown to this page is shown by its name, not omitted", () => {
  expect(actionWords("transfer.made")).toBe("Created a transfer");
  expect(actionWords("ledger.account_closed")).toBe("ledger account closed");
});

test("an operator is shown as such, a member and a key by their names", () => {
  expect(whoWords({ kind: "operator", name: "ada" })).toBe("Operator (ada)");
  expect(whoWords({ kind: "member", name: "Emeka Obi" })).toBe("Emeka Obi");
  expect(whoWords({ kind: "key", name: "sk_live_…3xYz" })).toBe("sk_live_…3xYz");
});

test("a member is shown by name, and by id after leaving", () => {
  expect(detailWords({ user_id: "usr_2", role: "owner" }, names)).toBe("Emeka Obi, role: owner");
  expect(detailWords({ user_id: "usr_9" }, names)).toBe("usr_9");
});

test("absent values are omitted from the detail; false and 0 are not", () => {
  expect(detailWords({ title: "", expires_at: null, disabled: false, uses_max: 0 }, names)).toBe(
    "disabled: no, uses max: 0",
  );
  expect(detailWords({}, names)).toBe("–");
});

test("every action of the team's calls and of the operators' requests has words", () => {
  const ofTeams = Object.values(ACTS).flatMap((act) => ("audit" in act && act.audit ? [act.audit.action] : []));
  const ofOperators = REQUESTS.flatMap(({ operator }) => (typeof operator === "object" ? [operator.action] : []));
  expect(ofTeams.length).toBeGreaterThan(25);
  expect(ofOperators.length).toBeGreaterThan(20);
  expect([...ofTeams, ...ofOperators].filter((action) => !hasWords(action))).toEqual([]);
});

const SERVICES = fileURLToPath(new URL("../../../../..", import.meta.url));

test("every action that a service records by itself has words", async () => {
  const recorded: string[] = [];
  for (const folder of ["dashboard/src", "gateway/src"]) {
    const files = await readdir(join(SERVICES, folder), { recursive: true });
    for (const file of files.filter((name) => /(?<!\.test)\.ts$/.test(name) && !name.includes("generated"))) {
      const text = await readFile(join(SERVICES, folder, file), "utf8");
      const named = text.matchAll(/\b(?:action|done|refused|confirmed): "([a-z_]+(?:\.[a-z_]+)?)"/g);
      recorded.push(...[...named].flatMap(([, action]) => action ?? []));
    }
  }
  for (const known of ["signed_in", "passkey.added", "invitation.accepted", "proposal.created", "transfer.made"])
    expect(recorded).toContain(known);
  // The rule `confirmed: "live"` is no action.
  expect(recorded.filter((action) => action !== "live" && !hasWords(action))).toEqual([]);
});
