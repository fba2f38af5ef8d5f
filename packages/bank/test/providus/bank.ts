import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { createProvidus } from "../../src/index.ts";

export const credentials = { clientId: "collect", clientSecret: "providus-secret" };
export const signature = createHash("sha512").update("collect:providus-secret").digest("hex");
export const access = { userName: "collect", password: "payout-password" };

/** The bank as a real HTTP server whose responses the test defines, and our side of it. */
export async function providusAt(answer: RequestListener, timeoutMs = 5_000) {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const source = { sourceAccountNumber: "1700313889", sourceAccountName: "Collect" };
  const payouts = { url: `${url}/postingrest/`, ...access, ...source, timeoutMs };
  return createProvidus({ url, ...credentials, formerClientSecrets: ["former-secret"], timeoutMs, payouts });
}
