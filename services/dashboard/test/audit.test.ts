import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createTransfer, makeKeys } from "@collect/contracts";
import { freePort } from "@collect/servers";
import { until } from "@collect/testing";
import { expect, test } from "vitest";
import { ENDPOINTS } from "../src/endpoints.ts";
import { AUTH_SECRET, aMember, KEYRING } from "./dashboard.ts";
import { bodyOf } from "./endpoints.ts";
import { MERCHANT, usePeople } from "./world.ts";

const { world, dashboard, others, people } = await usePeople();

const acts = () => others.audited;

const transfers = () => {
  const row = ENDPOINTS.find((endpoint) => "request" in endpoint && endpoint.request === createTransfer);
  if (!row) throw new Error("there is no such row");
  return row;
};

/** They simulate payments in test mode, set up the test receiver, or only compute. */
const UNRECORDED = ["/customers/:customer_reference/simulate", "/simulate", "/receiver/behavior", "/verify-signature"];

test("every act of a member is recorded but those written here", () => {
  const unrecorded = ENDPOINTS.filter(({ method, audit }) => method === "POST" && !audit);
  expect(unrecorded.map(({ path }) => path).sort()).toEqual([...UNRECORDED].sort());
});

test("verification details are audited without the contact person, and with the account masked", async () => {
  const details = {
    registered_name: "Ada Stores Ltd",
    contact_phone: "+234 801",
    settlement_account_number: "0123456789",
  };
  expect((await people.owner.post(`/api/m/${MERCHANT}/test/verification`, { details })).status).toBe(200);
  expect(acts().at(-1)).toMatchObject({
    action: "verification.saved",
    mode: null,
    outcome: "done",
    detail: { registered_name: "Ada Stores Ltd", settlement_account: "…6789" },
  });
  expect(Object.keys(acts().at(-1)?.detail ?? {})).toHaveLength(2);
});

test("the audit log shows actor, action and outcome, newest first by pages, and contains no secrets", async () => {
  const url = "https://user:hunter2@shop.example/hook?token=s3cret#frag";
  await people.developer.post(`/api/m/${MERCHANT}/test/webhook`, { url });
  await people.owner.post(`/api/m/${MERCHANT}/live/transfers`, bodyOf(transfers()));
  const { body } = await people.viewer.get(`/api/m/${MERCHANT}/test/audit?limit=2`);
  expect(body.data).toMatchObject([
    { who: { name: "Ada Obi", email: people.owner.email }, action: "transfer.made", mode: "live", outcome: "done" },
    {
      who: { email: people.developer.email },
      action: "webhook.set",
      mode: "test",
      detail: { url: "https://shop.example/hook" },
    },
  ]);
  expect(Object(body.data)[0].detail).toEqual({ reference: "trf-1", amount: 100, bank_code: "058", account: "…6789" });
  const second = await people.viewer.get(`/api/m/${MERCHANT}/test/audit?limit=2&after=${body.next}`);
  expect(Number(Object(second.body.data)[0].id)).toBeLessThan(Number(Object(body.data)[1].id));
  expect(JSON.stringify(acts().map(({ detail }) => detail))).not.toMatch(/hunter2|s3cret|whsec|0123456789/);
});

test("an action interrupted by a crash stays in the log as unknown", async () => {
  const port = await freePort();
  const { config } = dashboard;
  const child = spawn(process.execPath, [fileURLToPath(new URL("../src/main.ts", import.meta.url))], {
    env: {
      ...process.env,
      FAILPOINT: "committed",
      DATABASE_URL: config.DATABASE_URL,
      NATS_URL: config.NATS_URL,
      NATS_NKEY_SEED: config.NATS_NKEY_SEED,
      ORDER_KEY: config.ORDER_KEY,
      PORT: String(port),
      APP_URL: config.APP_URL,
      AUTH_SECRET,
      KEYRING,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (text) => {
    said += text;
  });
  await until("the process is ready", () => said.includes('"ready"'));
  const doomed = { ...dashboard, url: `http://127.0.0.1:${port}` };
  const person = await aMember(world, doomed, { merchantId: MERCHANT, role: "developer" });
  await expect(person.post(`/api/m/${MERCHANT}/test/keys/make`)).rejects.toThrow();
  await until("it is dead", () => child.signalCode === "SIGKILL");
  expect(acts().at(-1)).toMatchObject({ action: "keys.made", actor: { user_id: person.id }, outcome: "unknown" });
  expect(others.askedOf(makeKeys)).toEqual([]);
});
