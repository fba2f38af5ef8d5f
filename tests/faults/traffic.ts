import { someId, until } from "@collect/testing";
import { aBankTransfer, type BankTransfer, reportTransfer } from "../stack/bank.ts";
import { client } from "../stack/client.ts";
import type { Stack, TestMerchant } from "../stack.ts";

export type Customer = { merchant: TestMerchant; accountNumber: string };
/** What a bank knows: the transfers that it was told are taken in, by its own id. */
export type Traffic = {
  customers: Customer[];
  answered: Map<string, BankTransfer>;
  /** When it began; what came before is none of its business. */
  since: string;
  /** Reports that many transfers over all customers, some at once, each until it is answered 200. */
  flow(count: number): Promise<void>;
  /** Goes on until the event is over, and a little longer. What goes wrong with the event goes wrong here. */
  flowUntil(event: Promise<unknown>): Promise<void>;
};

const AT_ONCE = 8;
const AFTERWARDS = 40;

/** A bank that sends money to customers of several merchants, and repeats what was not answered 200, as banks do. */
export async function openTraffic(stack: Stack, { merchants = 3 } = {}): Promise<Traffic> {
  const since = new Date().toISOString();
  const customers: Customer[] = [];
  while (customers.length < merchants) customers.push(await aCustomer(stack));
  const answered = new Map<string, BankTransfer>();

  async function report(number: number): Promise<void> {
    const { accountNumber = "" } = customers[number % customers.length] ?? {};
    // Amounts that differ tell a transfer from every other.
    const transfer = aBankTransfer({
      id: someId("trf"),
      account_number: accountNumber,
      amount: (10_000 + number) / 100,
    });
    await until(`transfer ${transfer.id} is answered 200`, () =>
      reportTransfer(stack.bankDoor, transfer).then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
    answered.set(transfer.id, transfer);
  }

  let sent = 0;
  async function flowWhile(wanted: () => boolean): Promise<void> {
    const sendOn = async () => {
      while (wanted()) await report(sent++);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, sendOn));
  }
  async function flow(count: number): Promise<void> {
    const end = sent + count;
    await flowWhile(() => sent < end);
  }

  return {
    customers,
    answered,
    since,
    flow,
    async flowUntil(event) {
      let over = false;
      const watched = event.finally(() => {
        over = true;
      });
      await Promise.all([watched, flowWhile(() => !over)]);
      await flow(AFTERWARDS);
    },
  };
}

async function aCustomer(stack: Stack): Promise<Customer> {
  const merchant = await stack.createMerchant();
  const customer = { customer_reference: "cust_42", customer_name: "Ada Obi" };
  const { body } = await client(stack.baseUrl, merchant.keys.sk_live).post("/customer_accounts", customer);
  return { merchant, accountNumber: String(body.account_number) };
}
