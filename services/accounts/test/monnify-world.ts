import { createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { createMonnify } from "@collect/bank";
import { issueCustomerAccount } from "@collect/contracts";
import { afterAll } from "vitest";
import type { IssuingPartner } from "../src/domain/partners.ts";
import { aLiveMerchant } from "./partners-world.ts";
import type { AccountsWorld } from "./world.ts";

const KEY = "the secret key of Monnify";

/** Monnify as it is asked for payments: a login, and what it says of each. */
export async function startMonnify() {
  const bank = {
    ...{ isDown: false, transactions: new Map<string, object>() },
    /** The ids in the order in which it was asked for them. */
    asked: [] as string[],
  };
  const server = createServer((request, response) => {
    const answer = (status: number, body: object) => response.writeHead(status).end(JSON.stringify(body));
    if (request.url === "/api/v1/auth/login")
      return answer(200, { requestSuccessful: true, responseBody: { accessToken: "token", expiresIn: 3_600 } });
    const id = decodeURIComponent(/^\/api\/v2\/transactions\/(.+)$/.exec(request.url ?? "")?.[1] ?? "");
    bank.asked.push(id);
    if (bank.isDown) return answer(503, {});
    const responseBody = bank.transactions.get(id);
    if (responseBody) return answer(200, { requestSuccessful: true, responseBody });
    answer(404, { requestSuccessful: false, responseCode: "99", responseMessage: "Could not find transaction" });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const access = { url: `http://127.0.0.1:${port}`, apiKey: "key", secretKey: KEY, contractCode: "1" };
  let serial = 0;
  const reservations = new Map<string, string>();
  const partner: IssuingPartner = {
    ...createMonnify({ ...access, timeoutMs: 5_000 }),
    issuer: {
      ...{ kind: "by_request", needs: [] },
      issueAccount: async ({ accountName, requestId }) => {
        const accountNumber = String(++serial).padStart(10, "6");
        reservations.set(accountNumber, requestId);
        return { accountNumber, accountName, bankCode: "50515", bankName: "Moniepoint" };
      },
    },
  };
  /** Of a process of its own. */
  const env = {
    ...{ MONNIFY_URL: access.url, MONNIFY_API_KEY: "key", MONNIFY_SECRET_KEY: KEY, MONNIFY_CONTRACT_CODE: "1" },
    MONNIFY_BUSINESS_BVN: "22200000001",
  };
  return { ...{ bank, partner, env }, clientOf: (world: AccountsWorld) => clientOf({ world, bank, reservations }) };
}

type Monnify = {
  world: AccountsWorld;
  bank: { transactions: Map<string, object> };
  reservations: Map<string, string>;
};

/** Monnify as it reports to the door, and its customers. */
function clientOf({ world, bank, reservations }: Monnify) {
  async function post(event: object): Promise<unknown> {
    const body = JSON.stringify(event);
    const headers = { "monnify-signature": createHmac("sha512", KEY).update(body).digest("hex") };
    const response = await fetch(new URL("/bank/monnify", world.doorUrl), { method: "POST", headers, body });
    const { status, code } = (await response.json()) as { status?: unknown; code?: string };
    return code ?? status;
  }

  /** A customer, and payments of ₦1,000 that Monnify knows and has not reported. */
  async function aCustomer() {
    const merchant = aLiveMerchant();
    const { account } = await world.others.request(issueCustomerAccount, {
      ...{ merchant, customer_reference: "cust_1", customer_name: "Ada Obi" },
    });
    const { account_number: accountNumber } = account;
    const product = { type: "RESERVED_ACCOUNT", reference: reservations.get(accountNumber) };
    const pay = () => {
      const transactionReference = `MNFY|${randomUUID()}`;
      const payment = {
        ...{ product, transactionReference, amountPaid: "1000.00", settlementAmount: "985.00", currency: "NGN" },
        ...{ paymentStatus: "PAID", paidOn: null, destinationAccountInformation: { accountNumber } },
        paymentSourceInformation: [{ accountName: "NGOZI EZE", sessionId: null }],
      };
      bank.transactions.set(transactionReference, payment);
      const report = () => post({ eventType: "SUCCESSFUL_TRANSACTION", eventData: payment });
      return { id: transactionReference, payment, report };
    };
    return { merchant, accountNumber, pay };
  }

  /** Of payments of ₦1,000 each. */
  const settle = (settlementReference: string, payments: { id: string; payment: { product: object } }[]) => {
    const transactions = payments.map(({ id, payment: { product } }) => ({
      ...{ transactionReference: id, amountPaid: "1000.00", product },
    }));
    return post({ eventType: "SETTLEMENT", eventData: { settlementReference, transactions } });
  };
  return { aCustomer, settle };
}
