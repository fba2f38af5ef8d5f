import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { Mode } from "@collect/contracts";
import { isSigned } from "@collect/testing";
import type { TestMerchant } from "../stack.ts";
import type { Observations } from "./observations.ts";
import { createRandom } from "./random.ts";

/** The merchants' server: records deliveries, and fails some of them until `recover`. */
export type Receiver = {
  url: string;
  /** Registers a merchant; its deliveries are sent to `{url}/{index}`. */
  register(merchant: TestMerchant): void;
  recover(): void;
  close(): void;
};

const FAILURE_SHARE = 0.03;
const HANGS_FOR_MS = 16_000;

export async function openReceiver(observations: Observations, seed: number): Promise<Receiver> {
  const random = createRandom(seed, "receiver");
  const merchants: TestMerchant[] = [];
  let isHealthy = false;

  function answer(response: ServerResponse): void {
    if (isHealthy || !random.chance(FAILURE_SHARE)) return void response.end("ok");
    const failure = random.pick(["refuses", "resets", "hangs", "redirects"] as const);
    if (failure === "refuses") response.writeHead(500).end();
    if (failure === "redirects") response.writeHead(302, { location: "/elsewhere" }).end();
    if (failure === "resets") response.socket?.resetAndDestroy();
    if (failure === "hangs") setTimeout(() => response.destroy(), HANGS_FOR_MS).unref();
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("error", () => {});
    request.on("end", () => {
      const raw = Buffer.concat(chunks);
      const index = Number(request.url?.slice(1));
      const merchant = merchants[index];
      const body = JSON.parse(raw.toString());
      const mode: Mode = body.mode;
      if (!merchant || !isSigned({ path: "", headers: request.headers, raw, body }, merchant.secrets[mode]))
        observations.anomalies.push(`a delivery to ${request.url} is not signed with its merchant's secret`);
      else
        observations.delivered.push({
          merchant: index,
          mode,
          event: body.event,
          sequence: Number(request.headers["x-service-sequence"]),
          number: Number(request.headers["x-service-delivery"]),
          hash: createHash("sha256").update(raw).digest("base64"),
          at: Date.now(),
          data: body.data,
        });
      answer(response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    register: (merchant) => void merchants.push(merchant),
    recover() {
      isHealthy = true;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
