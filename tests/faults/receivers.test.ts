import type { ServerResponse } from "node:http";
import { until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { startStack } from "../stack.ts";
import { proveNothingLost } from "./proof.ts";
import { openTraffic } from "./traffic.ts";

const stack = await startStack();
afterAll(() => stack.stop());

/** Failures of merchants' servers, and the recorded result: the status, or the error. */
const BEHAVIOURS: {
  name: string;
  answer(response: ServerResponse): void;
  recorded: { status: number | null; error: RegExp };
}[] = [
  { name: "hangs", answer: () => {}, recorded: { status: null, error: /no answer within 15 s/ } },
  { name: "drips", answer: drip, recorded: { status: null, error: /no answer within 15 s/ } },
  {
    name: "redirects",
    answer: (response) => response.writeHead(307, { location: `${stack.receiver.url}/elsewhere` }).end(),
    recorded: { status: 307, error: /^$/ },
  },
  {
    name: "resets",
    answer: (response) => void response.socket?.resetAndDestroy(),
    recorded: { status: null, error: /ECONNRESET|other side closed/ },
  },
  { name: "is gone", answer: (response) => response.writeHead(410).end(), recorded: { status: 410, error: /^$/ } },
];

/** Sends a header that never ends, one byte at a time. */
function drip(response: ServerResponse): void {
  response.socket?.write("HTTP/1.1 200 OK\r\nx-drip: ");
  const dripping = setInterval(() => response.socket?.write("."), 200);
  response.socket?.once("close", () => clearInterval(dripping));
}

test("a receiver that hangs, responds slowly, redirects, resets or is gone delays no other, and gets every event once it has recovered", async () => {
  const traffic = await openTraffic(stack, { merchants: BEHAVIOURS.length + 1 });
  const [healthy, ...failing] = traffic.customers.map(({ merchant }) => merchant);
  const broken = new Set<ServerResponse>();
  let recovered = false;
  stack.receiver.behave((response, { path }) => {
    const behaviour = BEHAVIOURS[failing.findIndex(({ id }) => path.includes(id))];
    if (recovered || !behaviour) return void response.end("ok");
    broken.add(response);
    behaviour.answer(response);
  });
  await traffic.flow(60);

  // Long before the 15-second timeout of any other receiver.
  await healthy?.untilReceived("live", 10);
  const { rows } = await stack
    .database("webhooks")
    .query("select count(*)::int from attempts where error like 'no answer%'");
  expect(rows).toEqual([{ count: 0 }]);

  for (const [index, { recorded }] of BEHAVIOURS.entries()) {
    const [first] = await until("a failed attempt is recorded", async () => {
      const attempts = await stack.database("webhooks").query(
        `select a.status, coalesce(a.error, '') as error from attempts a join deliveries d on d.number = a.delivery_number
         where d.merchant_id = $1 and d.status = 'pending'`,
        [failing[index]?.id],
      );
      return attempts.rows.length > 0 && attempts.rows;
    });
    expect(first).toEqual({ status: recorded.status, error: expect.stringMatching(recorded.error) });
  }
  recovered = true;
  // A server that is started again answers none of the requests that it has not answered.
  for (const { socket } of broken) socket?.destroy();
  await proveNothingLost(stack, traffic);
  expect(stack.receiver.received.filter(({ path }) => path.includes("elsewhere"))).toEqual([]);
});
