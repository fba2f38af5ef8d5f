import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { createLocalPartner, createMonnify, createProvidus } from "@collect/bank";
import { expect, onTestFinished, test } from "vitest";
import { apiSecret, doorSecret, PATIENT_MS } from "./simulator.ts";

const MAIN = new URL("../src/main.ts", import.meta.url).pathname;
const environment = {
  PORT: "0",
  BANK_API_SECRET: apiSecret,
  BANK_DOOR_URL: "http://127.0.0.1:1/",
  BANK_DOOR_SECRET: doorSecret,
};

function start(changes: Record<string, string> = {}) {
  const child = spawn(process.execPath, [MAIN], {
    env: { ...environment, ...changes },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

const providus = {
  PROVIDUS_CLIENT_ID: "collect",
  PROVIDUS_CLIENT_SECRET: "client-secret-of-the-tests",
  PROVIDUS_PAYOUTS_USER: "collect",
  PROVIDUS_PAYOUTS_SECRET: "password-of-the-tests",
  PROVIDUS_SOURCE_ACCOUNT_NUMBER: "1700313889",
};

const monnify = {
  MONNIFY_API_KEY: "collect",
  MONNIFY_SECRET_KEY: "secret-key-of-the-tests",
  MONNIFY_CONTRACT_CODE: "1234567890",
  MONNIFY_SOURCE_ACCOUNT_NUMBER: "8016472829",
};

test("the process logs its address, becomes ready, serves each configured bank, and stops on SIGTERM", async () => {
  const child = start({ ...providus, ...monnify });
  let url = "";
  for await (const line of createInterface({ input: child.stdout })) {
    const entry = JSON.parse(line);
    if (entry.address) url = `http://${entry.address.address}:${entry.address.port}`;
    if (entry.event === "ready") break;
  }
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const keys = { secret: apiSecret, doorSecrets: [doorSecret], timeoutMs: PATIENT_MS };
  const { issuer } = createLocalPartner({ code: "729", name: "Harbour Bank", url, ...keys });
  expect(await issuer.issueAccount({ requestId: "r", accountName: "Chidi" })).toMatchObject({ accountName: "Chidi" });
  const { PROVIDUS_CLIENT_ID: clientId, PROVIDUS_CLIENT_SECRET: clientSecret } = providus;
  const other = createProvidus({ url: `${url}/providus`, clientId, clientSecret, timeoutMs: PATIENT_MS });
  expect(await other.check()).toMatchObject([{ name: "collections", isOk: true }]);
  const { MONNIFY_API_KEY: apiKey, MONNIFY_SECRET_KEY: secretKey, MONNIFY_CONTRACT_CODE: contractCode } = monnify;
  const third = createMonnify({ url: `${url}/monnify`, apiKey, secretKey, contractCode, timeoutMs: PATIENT_MS });
  expect(await third.check()).toMatchObject([{ isOk: true }, { isOk: true }]);
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
});

test.each<Record<string, string>>([
  { BANK_CODE: "000" },
  { BANK_API_SECRET: "short" },
  { BANK_DOOR_URL: "ftp://x" },
  { BANK_DOOR_SECRET: "" },
  { PROVIDUS_PAYOUTS_SECRET: "short" },
  { PROVIDUS_CLIENT_ID: "collect" },
  { MONNIFY_SECRET_KEY: "short" },
  { MONNIFY_API_KEY: "collect" },
])("the process does not start with %j, and does not log the value", async (changes) => {
  const child = start(changes);
  let errorOutput = "";
  child.stderr.on("data", (chunk) => {
    errorOutput += chunk;
  });
  const [code] = await once(child, "close");
  expect(code).toBe(1);
  expect(errorOutput).toContain(Object.keys(changes)[0]);
  expect(errorOutput).not.toContain("short");
});
