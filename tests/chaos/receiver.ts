import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { Mode } from "@collect/contracts";
import { isSigned } from "@collect/testing";
import type { TestMerchant } from "../stack.ts";
import type { Books } from "./books.ts";
import { createRandom } from "./random.ts";

/** The merchants' server: keeps what it got, and is ill now and then until it is asked to be well. */
export type Receiver = {
  url: string;
  /** Deliveries to `{url}/{index}` are this merchant's. */
  admit(merchant: TestMerchant): void;
  recover(): void;
  close(): void;
};

const ILL = 0.03;
const HANGS_FOR_MS = 16_000;

export async function openReceiver(books: Books, seed: number): Promise<Receiver> {
  const random = createRandom(seed, "receiver");
  const merchants: TestMerchant[] = [];
  let isWell = false;

  function answer(response: ServerResponse): void {
    if (isWell || !random.chance(ILL)) return void response.end("ok");
    const illness = random.pick(["refuses", "resets", "hangs", "redirects"] as const);
    if (illness === "refuses") response.writeHead(500).end();
    if (illness === "redirects") response.writeHead(302, { location: "/elsewhere" }).end();
    if (illness === "resets") response.socket?.resetAndDestroy();
    if (illness === "hangs") setTimeout(() => response.destroy(), HANGS_FOR_MS).unref();
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
        books.oddities.push(`a delivery to ${request.url} is not signed by its merchant's secret`);
      else
        books.delivered.push({
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
    admit: (merchant) => void merchants.push(merchant),
    recover() {
      isWell = true;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
