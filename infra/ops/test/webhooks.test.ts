import { pauseWebhookEndpoint } from "@collect/contracts";
import { createLogger } from "@collect/runtime";
import { connectAs } from "@collect/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { age } from "../src/print.ts";
import { commandsOf, refusalOf, type System, startSystem } from "./system.ts";

let system: System;
beforeAll(async () => {
  system = await startSystem(["gateway", "accounts", "webhooks"]);
});
afterAll(() => system.stop());

const { run, json } = commandsOf(() => system);

async function anEndpoint(): Promise<string> {
  const { merchant_id } = await json("merchant", "create", "--name", "Ada Stores");
  await json("webhook", "set", merchant_id, "--mode", "live", "--url", "http://127.0.0.1:4500/live?token=secret");
  return merchant_id;
}

test("webhook resume ends a merchant's pause, says what waits, and knows no merchant that does not exist", async () => {
  const merchant_id = await anEndpoint();
  const dashboard = await connectAs("dashboard", { url: system.natsUrl, log: createLogger("ops", "silent") });
  const { hold } = await dashboard.request(pauseWebhookEndpoint, { merchant: { id: merchant_id, mode: "live" } });
  await dashboard.close();
  expect(hold).toMatchObject({ state: "paused" });
  const why = ["--reason", "The merchant has confirmed its URL"];
  const resumed = await json("webhook", "resume", merchant_id, "--mode", "live", ...why);
  expect(resumed).toMatchObject({ merchant_id, hold: { state: "held", waiting: 0 } });
  const unknown = await run("webhook", "resume", "mer_unknown", "--mode", "live", ...why);
  expect(refusalOf(unknown)).toEqual({ code: 1, stdout: "", stderr: "not_found: There is no such merchant." });
});

test("webhook pause stops an endpoint and webhook holds lists it; both reasons are in the merchant's audit log", async () => {
  const merchant_id = await anEndpoint();
  const holds = (...more: string[]) => run("webhook", "holds", "--merchant", merchant_id, ...more);
  expect((await holds()).stdout.trim()).toBe("No endpoint is held or paused.");
  const withoutReason = await run("webhook", "pause", merchant_id, "--mode", "live");
  expect([withoutReason.code, withoutReason.stderr]).toEqual([1, expect.stringContaining("--reason")]);

  const paused = await run(
    "webhook",
    "pause",
    merchant_id,
    "--mode",
    "live",
    "--reason",
    "It answers with a stranger's page",
  );
  expect([paused.code, paused.stdout.trim()]).toEqual([0, "0 events waiting, and it is paused (live)"]);
  const { stdout } = await holds("--state", "paused");
  expect(stdout).toMatch(
    new RegExp(
      `^${merchant_id} \\(live\\) {2}127\\.0\\.0\\.1:4500: paused for \\d+ seconds?, 0 waiting, never acknowledged one\n$`,
    ),
  );
  expect(await json("webhook", "holds", "--merchant", merchant_id)).toMatchObject({
    data: [{ merchant_id, mode: "live", host: "127.0.0.1:4500", state: "paused", waiting: 0 }],
    next: null,
  });
  expect(await json("webhook", "holds", "--mode", "test", "--limit", "500")).toEqual({ data: [], next: null });

  await json("webhook", "resume", merchant_id, "--mode", "live", "--reason", "The merchant has moved it back");
  const span = ["--from", "2020-01-01T00:00:00Z", "--to", "2100-01-01T00:00:00Z"];
  const log = (await run("audit-log", "export", "--merchant", merchant_id, ...span)).stdout;
  for (const text of ["webhook.paused", "It answers with a stranger's page", "webhook.resumed", "moved it back"])
    expect(log).toContain(text);
});

test("webhook pause is refused without a URL", async () => {
  const { merchant_id } = await json("merchant", "create", "--name", "Ada Stores");
  const refused = await run("webhook", "pause", merchant_id, "--mode", "live", "--reason", "Leaked");
  expect(refusalOf(refused)).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(/^no_webhook_url: /) });
});

test("an age is in the largest unit of which there are two", () => {
  const now = Date.parse("2026-11-29T12:00:00Z");
  expect(
    [
      "2026-11-29T12:00:05Z",
      "2026-11-29T11:59:59Z",
      "2026-11-29T11:58:30Z",
      "2026-11-29T11:00:00Z",
      "2026-11-27T12:00:00Z",
    ].map((since) => age(since, now)),
  ).toEqual(["0 seconds", "1 second", "90 seconds", "60 minutes", "2 days"]);
});
