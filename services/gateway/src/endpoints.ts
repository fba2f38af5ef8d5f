import {
  getBalance,
  getCustomerAccount,
  issueCustomerAccount,
  listCustomerAccounts,
  type Reply,
  type RequestContract,
  simulatePayment,
} from "@collect/contracts";
import type { Budget } from "./domain/rate-limit.ts";

/** A row of the merchant API: a route, who may call it, and the request of which its answer is made. */
export type Endpoint<Contract extends RequestContract = RequestContract> = {
  method: "GET" | "POST";
  path: `/${string}`;
  key: "secret";
  budget: Budget | null;
  /** Answers to test keys only, and the index does not list it. */
  testOnly?: true;
  request: Contract;
  /** 200 with the reply as it is, unless said otherwise. */
  answer?(reply: Reply<Contract>): { status: number; body: unknown };
};

/** The specification's endpoints in its order, as the index lists them; then the simulators. */
export const ENDPOINTS: readonly Endpoint[] = [
  endpoint({ method: "GET", path: "/balance", key: "secret", budget: "reads", request: getBalance }),
  endpoint({
    method: "POST",
    path: "/customer_accounts",
    key: "secret",
    budget: "accounts",
    request: issueCustomerAccount,
    answer: ({ account, created }) => ({ status: created ? 201 : 200, body: account }),
  }),
  endpoint({
    method: "GET",
    path: "/customer_accounts",
    key: "secret",
    budget: "reads",
    request: listCustomerAccounts,
  }),
  endpoint({
    method: "GET",
    path: "/customer_accounts/:customer_reference",
    key: "secret",
    budget: "reads",
    request: getCustomerAccount,
  }),
  endpoint({
    method: "POST",
    path: "/customer_accounts/:customer_reference/simulate_payment",
    key: "secret",
    budget: null,
    testOnly: true,
    request: simulatePayment,
  }),
];

function endpoint<Contract extends RequestContract>(row: Endpoint<Contract>): Endpoint {
  return row;
}
