import { createHmac } from "node:crypto";
import { join } from "node:path";
import { browseAuditLogs } from "@collect/contracts";
import { COMPILE_CACHE, endChild, freePort, startChild, untilReady } from "@collect/servers";
import { brokerAt } from "@collect/testing";
import type { Page } from "playwright-core";
import type { Stack } from "../stack.ts";
import { pressByKeyboard } from "./keyboard.ts";
import { ROOT } from "./service.ts";

/** The process of the operators' pages, beside a stack. Browsers make keys only at https and at localhost. */
export async function startOperatorPages(stack: Stack, directory: string) {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const { seed } = brokerAt(stack.natsUrl, "operators");
  const child = await startChild({
    command: process.execPath,
    args: [join(ROOT, "services/dashboard/src/operators.ts")],
    env: {
      ...{ PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILE_CACHE },
      ...{ NATS_URL: stack.natsUrl, NATS_NKEY_SEED: seed, PORT: String(port), APP_URL: url },
    },
    logFile: join(directory, "operators.log"),
    stopSignal: "SIGKILL",
  });
  await untilReady("operators", child, async () => child.output().includes('"event":"ready"'));
  return { url, stop: () => endChild(child, "SIGKILL", "SIGKILL") };
}

export const OPERATOR_PASSWORD = "four plain words here";

/** From a browser that was never there to a session: its key is added, then password and authenticator. Returns the codes. */
export async function joinOperators(page: Page, add: (publicKey: string) => Promise<unknown>) {
  await pressByKeyboard(page, page.getByRole("button", { name: "Make this browser's key" }));
  const command = await page.locator("pre").textContent();
  await add(/U[A-Z2-7]{55}$/.exec(command ?? "")?.[0] ?? "");
  await pressByKeyboard(page, page.getByRole("button", { name: "My key was added" }));
  await page.getByLabel("New password").fill(OPERATOR_PASSWORD);
  const secret = (await page.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? "";
  await page.getByLabel("Authenticator code").fill(totp(secret));
  await page.getByLabel("Authenticator code").press("Enter");
  await page.getByRole("heading", { name: "Merchants" }).waitFor();
  return (later: number) => totp(secret, later);
}

/** What the audit log has of a merchant, the newest first. */
export const actsOf = async (stack: Stack, merchant_id: string) =>
  (await stack.bus.request(browseAuditLogs, { merchant_id })).data.map(({ actor, action, outcome, detail }) => ({
    ...{ action, outcome, detail },
    who: `${actor.kind} ${actor.label}`,
  }));

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The authenticator's code of this half minute or of a later one. RFC 6238. */
function totp(secret: string, later = 0): string {
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + later));
  const mac = createHmac("sha1", key).update(counter).digest();
  return String((mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}
