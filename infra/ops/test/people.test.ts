import { answer, type Bus, serveRequests } from "@collect/bus";
import { addMember, createSignInLink, resolveSettlementAccount, submitVerification } from "@collect/contracts";
import { createLogger } from "@collect/runtime";
import { connectAsOthers, startComponents } from "@collect/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { commandsOf, refusalOf, type System, startSystem } from "./system.ts";

let system: System;
let bus: Bus;
let stopFakes: () => Promise<void>;
const requests: unknown[] = [];

beforeAll(async () => {
  system = await startSystem(["gateway"]);
  const log = createLogger("others", "silent");
  bus = await connectAsOthers({ url: system.natsUrl, log });
  // The other services as the command line sees them; each records the requests it receives.
  const dashboard = [
    answer(addMember, async (input) => {
      requests.push(input);
      return { user_id: "usr_1", created: input.email !== "known@example.com" };
    }),
    answer(createSignInLink, async (input) => {
      requests.push(input);
      return { url: "https://app.example.com/sign-in/abc", expires_at: "2026-11-21T10:30:00.000+00:00" };
    }),
  ];
  const payments = [
    answer(resolveSettlementAccount, async () => ({ bank_name: "Partner Bank", account_name: "ADA STORES LIMITED" })),
  ];
  stopFakes = await startComponents([
    serveRequests(bus, { service: "dashboard", log, requests: dashboard }),
    serveRequests(bus, { service: "payments", log, requests: payments }),
  ]);
});
afterAll(async () => {
  await stopFakes();
  await bus.close();
  await system.stop();
});
beforeEach(() => {
  requests.length = 0;
});

const { run, json } = commandsOf(() => system);
const verification = (command: string, merchant: string, ...more: string[]) =>
  run("merchant", "verification", command, "--merchant", merchant, ...more);

const DETAILS = {
  registered_name: "Ada Stores Limited",
  rc_number: "RC 123456",
  address: "12 Marina\nLagos\nreason  approved",
  contact_name: "Ada Obi",
  contact_email: "ada@example.com",
  contact_phone: "+234 803 123 4567",
  settlement_bank_code: "058",
  settlement_account_number: "0123456789",
};

/** A merchant created without the webhooks service: its id is printed nevertheless. */
async function aMerchant(): Promise<string> {
  const { stdout } = await run("merchant", "create", "--name", "Ada Stores", "--json");
  return JSON.parse(stdout).merchant_id;
}

test("a merchant's submission is listed, shown and decided from the command line", async () => {
  const merchant_id = await aMerchant();
  await bus.request(submitVerification, { merchant_id, details: DETAILS });
  const listed = await json("merchant", "verification", "list");
  expect(listed.verifications).toMatchObject([{ merchant_id, state: "submitted", details: DETAILS }]);
  expect((await run("merchant", "verification", "list")).stdout).toContain(`${merchant_id}  Ada Stores  submitted 20`);
  const { stdout } = await verification("show", merchant_id);
  expect(stdout).toMatch(/account name +ADA STORES LIMITED \(Partner Bank\)\n/);
  expect(stdout).toMatch(/address +12 Marina Lagos reason approved\n/);

  const unreasoned = await verification("return", merchant_id, "--reason", " ");
  expect(refusalOf(unreasoned)).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(/^validation_failed: /) });
  expect((await verification("return", merchant_id)).code).toBe(1);
  const returned = await verification("return", merchant_id, "--reason", "The RC number is another's.");
  // The submission is printed before the decision.
  expect(returned.stdout).toMatch(/settlement account number +0123456789\n/);
  expect(returned.stdout).toMatch(new RegExp(`\nAda Stores \\(${merchant_id}\\) is returned\\.\n$`));
  expect(await json("merchant", "verification", "show", "--merchant", merchant_id)).toMatchObject({
    state: "returned",
    reason: "The RC number is another's.",
  });
  expect(refusalOf(await verification("approve", merchant_id))).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^conflict: /),
  });

  const again = await bus.request(submitVerification, { merchant_id, details: DETAILS });
  const seenBefore = await verification("approve", merchant_id, "--submitted", "2026-11-21T09:00:00.000+00:00");
  expect(refusalOf(seenBefore)).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(/^conflict: /) });
  expect((await json("merchant", "verification", "show", "--merchant", merchant_id)).state).toBe("submitted");
  const seenNow = ["--submitted", again.submitted_at ?? ""];
  expect(JSON.parse((await verification("approve", merchant_id, ...seenNow, "--json")).stdout)).toMatchObject({
    state: "approved",
  });
  const { verified_at, keys } = await json("merchant", "show", merchant_id);
  expect([typeof verified_at, keys.filter(({ mode }: { mode: string }) => mode === "live")]).toEqual(["string", []]);
  expect((await run("merchant", "verification", "list")).stdout).toBe("No verification is submitted.\n");
  const approved = await json("merchant", "verification", "list", "--state", "approved");
  expect(approved.verifications).toMatchObject([{ merchant_id }]);
});

test("an unknown merchant has no verification and gets no members", async () => {
  const unknown = { code: 1, stdout: "", stderr: "not_found: There is no such merchant." };
  expect(refusalOf(await verification("show", "mer_nobody"))).toEqual(unknown);
  expect(refusalOf(await verification("approve", "mer_nobody"))).toEqual(unknown);
  const person = ["--email", "ada@example.com", "--name", "Ada", "--role", "owner"];
  expect(refusalOf(await run("user", "add", "--merchant", "mer_nobody", ...person))).toEqual(unknown);
  expect(requests).toEqual([]);
});

test("user add gives a user a role in the team, and reports whether the user is new", async () => {
  const merchant_id = await aMerchant();
  const add = (email: string, role: string, ...more: string[]) =>
    run("user", "add", "--merchant", merchant_id, "--email", email, "--name", "Ada Obi", "--role", role, ...more);
  const added = await add("Ada@Example.com", "owner", "--json");
  expect([added.code, JSON.parse(added.stdout)]).toEqual([0, { user_id: "usr_1", created: true }]);
  expect(requests).toEqual([{ merchant_id, email: "ada@example.com", name: "Ada Obi", role: "owner" }]);
  expect((await add("new@example.com", "viewer")).stdout).toContain("a new user without a password");
  expect((await add("known@example.com", "viewer")).stdout).toBe(
    "known@example.com, an existing user, is now viewer of Ada Stores.\n",
  );
  const before = requests.length;
  expect((await add("ada@example.com", "admin")).code).toBe(1);
  expect(refusalOf(await add("ada", "owner"))).toMatchObject({ stderr: expect.stringMatching(/^validation_failed: /) });
  expect(requests).toHaveLength(before);
});

test("user sign-in-link prints a link and its expiry", async () => {
  const link = await json("user", "sign-in-link", "--email", "ada@example.com");
  expect(link).toEqual({ url: "https://app.example.com/sign-in/abc", expires_at: "2026-11-21T10:30:00.000+00:00" });
  const { stdout } = await run("user", "sign-in-link", "--email", "ada@example.com", "--minutes", "5");
  expect(stdout).toBe(`${link.url}\nSigns ada@example.com in once; expires at ${link.expires_at}.\n`);
  expect(requests).toEqual([
    { email: "ada@example.com", valid_minutes: 60, clear: false },
    { email: "ada@example.com", valid_minutes: 5, clear: false },
  ]);
  for (const minutes of ["0", "10081", "soon"]) {
    const wrong = await run("user", "sign-in-link", "--email", "ada@example.com", "--minutes", minutes);
    expect([wrong.code, wrong.stdout]).toEqual([1, ""]);
  }
});
