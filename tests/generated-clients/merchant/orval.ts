import { getBalance, issueCustomerAccount, listCustomerAccounts, simulatePayment } from "./orval-client";

/** A merchant's first calls, with the client that orval generates; it knows the URL since then. */
export async function firstCalls(_baseUrl: string, key: string) {
  const options = { headers: { authorization: `Bearer ${key}` } };
  const customer = { customer_reference: "cust_42", customer_name: "Ada Obi" };
  const issued = await issueCustomerAccount(customer, options);
  const paid = await simulatePayment("cust_42", { outcome: "paid", amount: 2500.73 }, options);
  const listed = await listCustomerAccounts({ limit: 10, status: "active" }, options);
  const refused = await issueCustomerAccount({ ...customer, customer_reference: "not allowed!" }, options);
  const balance = await getBalance(options);
  if (issued.status !== 201 || paid.status !== 200 || listed.status !== 200) throw new Error("it was refused");
  return {
    isIssued: true,
    credited: paid.data.credited,
    accounts: listed.data.data.map(({ account_number }) => account_number === issued.data.account_number),
    refusal: refused.status === 400 ? refused.data.code : undefined,
    fields: refused.status === 400 ? refused.data.errors?.map(({ param }) => param) : undefined,
    collected: balance.status === 200 ? balance.data.collected : undefined,
  };
}
