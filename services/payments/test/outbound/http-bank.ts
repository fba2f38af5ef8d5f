import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { verifyCall } from "@collect/bank";
import { onTestFinished } from "vitest";
import { BANK_API_SECRET } from "./transfers-world.ts";

type Status = "pending" | "success" | "failed" | "reversed";
type Order = { id: string; bank_code: string; account_number: string; amount: number };

export type HttpBank = {
  url: string;
  /** The ids of the payouts it was ordered to make, once per order. */
  sent: string[];
  /** The ids of the payouts it was enquired about, once per enquiry. */
  payoutEnquiries: string[];
  /** The accounts whose holder it was asked for, once per enquiry. */
  nameEnquiries: string[];
  /** The payouts it knows, paid or not. */
  payouts: Map<string, Order & { status: Status }>;
  /** Handles every further order in this way, instead of paying at once. */
  onPay(behave: (order: Order, response: ServerResponse) => void): void;
  /** Handles every further name enquiry in this way, instead of returning a name. */
  onNameEnquiry(behave: (response: ServerResponse, account: { account_number: string }) => void): void;
  /** Handles every further payout enquiry in this way, instead of returning what it knows. */
  onEnquiry(behave: (id: string, response: ServerResponse) => void): void;
  /** Accepts the order with this status. */
  accept(order: Order, status: Status): void;
  answer(response: ServerResponse, id: string): void;
};

/** The partner bank: a real HTTP server that keeps its payouts and responds as the test says. */
export async function startBank(): Promise<HttpBank> {
  const json = (response: ServerResponse, status: number, body: object) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  let pay = (order: Order, response: ServerResponse) => {
    bank.accept(order, "success");
    bank.answer(response, order.id);
  };
  let name = (response: ServerResponse, account: { account_number: string }): void =>
    json(response, 200, { ...account, account_name: "NGOZI EZE" });
  let enquire = (id: string, response: ServerResponse) => bank.answer(response, id);

  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (!isSigned(request, body)) return json(response, 401, { code: "invalid_signature" });
    if (request.url === "/name-enquiry") {
      const account: { account_number: string } = JSON.parse(body);
      bank.nameEnquiries.push(account.account_number);
      return name(response, account);
    }
    if (request.method === "POST") {
      const order: Order = JSON.parse(body);
      bank.sent.push(order.id);
      return pay(order, response);
    }
    const id = request.url?.split("/").at(-1) ?? "";
    bank.payoutEnquiries.push(id);
    enquire(id, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });

  const bank: HttpBank = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent: [],
    payoutEnquiries: [],
    nameEnquiries: [],
    payouts: new Map(),
    onPay: (behave) => {
      pay = behave;
    },
    onNameEnquiry: (behave) => {
      name = behave;
    },
    onEnquiry: (behave) => {
      enquire = behave;
    },
    accept: (order, status) => void bank.payouts.set(order.id, { ...order, status }),
    answer(response, id) {
      const payout = bank.payouts.get(id);
      if (!payout) return json(response, 404, { code: "not_found" });
      const reason = payout.status === "failed" ? "blocked" : null;
      json(response, 200, { ...payout, failure_code: reason, failure_reason: reason });
    },
  };
  return bank;
}

function isSigned({ method = "", url: target = "", headers }: IncomingMessage, body: string): boolean {
  return verifyCall({ method, target, body }, headers, [BANK_API_SECRET], new Date()) !== undefined;
}
