import { call } from "../http.ts";
import { koboOf, type SimulatedPayment } from "../observations.ts";
import { authorization, type Context } from "./context.ts";

export const TEST_CUSTOMER = "cust_test";

/** Simulates a payment with a test key. Without a 200, it may or may not have been credited. */
export async function simulate({ world, random }: Context): Promise<void> {
  const merchant = random.int(0, world.merchants.length - 1);
  const path = random.pick([`/v1/customer_accounts/${TEST_CUSTOMER}/simulate_payment`, "/v1/sandbox/pay"]);
  const amount = random.int(100, 9_999);
  const simulated: SimulatedPayment = { merchant, amount: amount * 100, reference: undefined };
  world.observations.simulated.push(simulated);
  const gateway = world.members.all.filter(({ name }) => name.startsWith("gateway."));
  const response = await call(random.pick(gateway).url, {
    method: "POST",
    path,
    headers: authorization(world.merchants[merchant]?.keys.sk_test ?? ""),
    body: JSON.stringify({ outcome: "paid", amount }),
  });
  if (response?.status !== 200) return;
  simulated.reference = String(response.body.reference);
  simulated.amount = koboOf(response.body.amount);
}
