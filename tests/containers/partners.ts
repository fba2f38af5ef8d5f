import { CustomerAccount, Transfer } from "@collect/contracts";
import { until } from "@collect/testing";
import { z } from "zod";
import { check } from "./check.ts";
import type { Deployment } from "./compose.ts";
import { caller, type Merchant, webhookOf } from "./merchant.ts";

const Listed = z.object({ partners: z.array(z.object({ pool: z.object({ free: z.number() }).nullable() })) });
/** Of what a simulated partner says about a transfer, that which a statement of its bank has. */
const Sent = z.object({
  transfers: z.tuple([
    z.object({
      transfer: z.object({ sessionId: z.string(), amount: z.number(), fee: z.number(), vat: z.number() }).optional(),
    }),
  ]),
});
const AMOUNT = 2_500.73;
const PAID_OUT = 100;

/** Partners by their own protocols: what the simulator calls payouts, and what an account needs. */
const PARTNERS = {
  providus: { payouts: "payouts", identity: {} },
  monnify: { payouts: "disbursements", identity: { bvn: "22212345678" } },
};

/**
 * A partner is added to the deployment as its documentation says. An account is issued there, money that comes through the partner's
 * door is credited and leaves by the partner again. Returns what its bank books of the money that came.
 */
export async function useRealProtocol(deployment: Deployment, merchant: Merchant, partner: keyof typeof PARTNERS) {
  const { payouts, identity } = PARTNERS[partner];
  await deployment.addPartner(partner);
  await deployment.compose("--profile", "sandbox", "up", "--detach", "--no-build", "--wait", "--wait-timeout", "300");
  await deployment.ops(["partner", "check"]);
  await until(
    "the partner has accounts to give out",
    async () => {
      const { partners } = Listed.parse(JSON.parse(await deployment.ops(["partner", "list", "--json"])));
      return partners.every(({ pool }) => pool === null || pool.free > 0);
    },
    120_000,
  );

  const call = caller(deployment, merchant.keys.sk_live);
  const customer_reference = `customer-${partner}`;
  const customer = { customer_reference, customer_name: "Ada Obi", ...identity };
  const { account_number } = CustomerAccount.parse(await call("POST", "/customer_accounts", customer));
  const sent = Sent.parse(
    await control(deployment, `${partner}/control/transfers`, { account_number, amount: AMOUNT }),
  );
  const { data } = await webhookOf(
    deployment,
    { mode: "live", secret: merchant.secrets.live },
    (each) => each.customer_reference === customer_reference,
  );
  check(data.amount === AMOUNT && data.account_number === account_number, `it says ${JSON.stringify(data)}`);

  await deployment.ops(["settlement", "run", "--merchant", merchant.id, "--mode", "live"]);
  const order = { amount: PAID_OUT, bank_code: "058", account_number: "1234567896", reference: `out-${partner}` };
  const paid = await until("the payout ends", async () => {
    const transfer = Transfer.parse(await call("POST", "/transfers", order));
    return transfer.status !== "pending" && transfer;
  });
  check(paid.status === "success", `the payout is ${paid.status}: ${paid.failure_reason}`);
  const list = await control(deployment, `${partner}/control/${payouts}`);
  check(JSON.stringify(list).includes(paid.reference), "the partner does not have the payout");
  return sent.transfers[0].transfer;
}

/** The simulated partner's switches; without a body what it has. */
async function control({ url }: Deployment, path: string, body?: object): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  const given = body ? { method: "POST", headers, body: JSON.stringify(body) } : {};
  const response = await fetch(`${url(4400)}/${path}`, given);
  const text = await response.text();
  check(response.ok, `${path} returned ${response.status}: ${text}`);
  return JSON.parse(text);
}
