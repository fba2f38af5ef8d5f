import type { ServerResponse } from "node:http";
import { until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { startStack } from "../stack.ts";
import { proveNothingLost } from "./proof.ts";
import { openTraffic } from "./traffic.ts";

const stack = await startStack();
afterAll(() => stack.stop());

/** What goes wrong at merchants, and what is noted of it: the status, or why there is none. */
const BEHAVIOURS: {
  name: string;
  answer(response: ServerResponse): void;
  noted: { status: number | null; error: RegExp };
}[] = [
  { name: "hangs", answer: () => {}, noted: { status: null, error: /no answer within 15 s/ } },
  { name: "drips", answer: drip, noted: { status: null, error: /no answer within 15 s/ } },
  {
    name: "redirects",
    answer: (response) => response.writeHead(307, { location: `${stack.receiver.url}/elsewhere` }).end(),
    noted: { status: 307, error: /^$/ },
  },
  {
    name: "resets",
    answer: (response) => void response.socket?.resetAndDestroy(),
    noted: { status: null, error: /ECONNRESET|other side closed/ },
  },
  { name: "is gone", answer: (response) => response.writeHead(410).end(), noted: { status: 410, error: /^$/ } },
];

/** A header that never ends, a byte at a time. */
function drip(response: ServerResponse): void {
  response.socket?.write("HTTP/1.1 200 OK\r\nx-drip: ");
  const dripping = setInterval(() => response.socket?.write("."), 200);
  response.socket?.once("close", () => clearInterval(dripping));
}

test("a receiver that hangs, drips, redirects, resets or is gone delays nobody else, and gets everything once it is well", async () => {
  const traffic = await openTraffic(stack, { merchants: BEHAVIOURS.length + 1 });
  const [well, ...ill] = traffic.customers.map(({ merchant }) => merchant);
  let recovered = false;
  stack.receiver.behave((response, { path }) => {
    const behaviour = BEHAVIOURS[ill.findIndex(({ id }) => path.includes(id))];
    if (recovered || !behaviour) response.end("ok");
    else behaviour.answer(response);
  });
  await traffic.flow(60);

  // Long before the first of the others has used up its 15 seconds.
  await well?.untilReceived("live", 10);
  const { rows } = await stack
    .database("webhooks")
    .query("select count(*)::int from attempts where error like 'no answer%'");
  expect(rows).toEqual([{ count: 0 }]);

  for (const [index, { noted }] of BEHAVIOURS.entries()) {
    const [first] = await until("a failed attempt is noted", async () => {
      const attempts = await stack.database("webhooks").query(
        `select a.status, coalesce(a.error, '') as error from attempts a join deliveries d on d.number = a.delivery_number
         where d.merchant_id = $1 and d.status = 'pending'`,
        [ill[index]?.id],
      );
      return attempts.rows.length > 0 && attempts.rows;
    });
    expect(first).toEqual({ status: noted.status, error: expect.stringMatching(noted.error) });
  }
  recovered = true;
  await proveNothingLost(stack, traffic);
  expect(stack.receiver.received.filter(({ path }) => path.includes("elsewhere"))).toEqual([]);
});
