import { getBalance, issueCustomerAccount, listCustomerAccounts, simulatePayment } from "./hey-api-client";
import { createClient, createConfig } from "./hey-api-client/client";

/** A merchant's first calls, with the client that @hey-api/openapi-ts generates. */
export async function firstCalls(baseUrl: string, key: string) {
  const client = createClient(createConfig({ baseUrl, auth: key }));
  const customer = { customer_reference: "cust_42", customer_name: "Ada Obi" };
  const issued = await issueCustomerAccount({ client, body: customer });
  const path = { customer_reference: "cust_42" };
  const paid = await simulatePayment({ client, path, body: { outcome: "paid", amount: 2500.73 } });
  const listed = await listCustomerAccounts({ client, query: { limit: 10, status: "active" } });
  const refused = await issueCustomerAccount({ client, body: { ...customer, customer_reference: "not allowed!" } });
  const balance = await getBalance({ client });
  return {
    isIssued: issued.response?.status === 201,
    credited: paid.data?.credited,
    accounts: listed.data?.data.map(({ account_number }) => account_number === issued.data?.account_number),
    refusal: refused.error?.code,
    fields: refused.error?.errors?.map(({ param }) => param),
    collected: balance.data?.collected,
  };
}
