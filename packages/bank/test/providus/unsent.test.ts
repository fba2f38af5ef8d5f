import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { Problem } from "@collect/contracts";
import { expect, test } from "vitest";
import { createProvidusPayouts } from "../../src/index.ts";
import { access } from "./bank.ts";

const payout = {
  id: "trf_1",
  bankCode: "058",
  accountNumber: "0045434120",
  accountName: "Ngozi Eze",
  amount: 200_045n,
  narration: "rent",
};
const notSent = { status: "failed", failureCode: "not_sent" };

async function listening(answer: RequestListener) {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const source = { sourceAccountNumber: "1700313889", sourceAccountName: "Collect" };
  const payoutsOver = (protocol: "http" | "https") =>
    createProvidusPayouts({ url: `${protocol}://${address}/postingrest`, ...access, ...source, timeoutMs: 5_000 });
  return { server, payoutsOver };
}
const codeOf = (attempt: Promise<unknown>) =>
  attempt.catch((error: unknown) => (error instanceof Problem ? error.code : undefined));

test("a payout fails at once if no connection is made, because the bank got nothing of it", async () => {
  let requests = 0;
  const { server, payoutsOver } = await listening(() => requests++);
  expect(await payoutsOver("https").pay(payout)).toMatchObject(notSent);
  server.close();
  await once(server, "close");
  const payouts = payoutsOver("http");
  expect(await payouts.pay(payout)).toMatchObject(notSent);
  expect(await codeOf(payouts.enquire(payout))).toBe("provider_error");
  expect(await codeOf(payouts.nameOf(payout))).toBe("provider_error");
  expect(requests).toBe(0);
});

test("a payout whose connection ends once it was sent is in doubt, although the next connection is refused", async () => {
  let requests = 0;
  const { server, payoutsOver } = await listening(({ socket }) => {
    requests++;
    server.close();
    socket.destroy();
  });
  const payouts = payoutsOver("http");
  expect(await codeOf(payouts.pay(payout))).toBe("provider_error");
  expect(await payouts.pay(payout)).toMatchObject(notSent);
  expect(requests).toBe(1);
});
