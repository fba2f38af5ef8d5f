import { createHmac } from "node:crypto";
import { Agent, request } from "undici";
import { follow, STAGES } from "./stage.ts";

const IN_FLIGHT_MAX = 64;

const url = process.env.HOOK_URL ?? "";
const dispatcher = new Agent({ connections: 32, pipelining: 1 });
const waiting: (() => void)[] = [];
let inFlight = 0;

async function send(body: string): Promise<void> {
  if (inFlight >= IN_FLIGHT_MAX) await new Promise<void>((resolve) => waiting.push(resolve));
  inFlight++;
  try {
    const signature = createHmac("sha512", "secret").update(body).digest("hex");
    const headers = { "content-type": "application/json", "x-service-signature": signature };
    const answer = await request(url, { method: "POST", dispatcher, headers, body });
    await answer.body.dump();
  } finally {
    inFlight--;
    waiting.shift()?.();
  }
}

await follow("webhooks", STAGES.payments, async (bodies) => {
  const sent = Promise.all(bodies.map(send));
  // Waits only when the next batch could not be sent anyway.
  if (inFlight >= IN_FLIGHT_MAX) await sent;
});
