import {
  type Actor,
  attachCollection,
  collectionAttached,
  getPayment,
  type Input,
  type WireResult,
} from "@collect/contracts";
import { recordFacts } from "@collect/testing";
import { expect } from "vitest";
import {
  aCollectionFor,
  createPay,
  type createPayment,
  kobo,
  type Posted,
  type SessionsWorld,
  type Shop,
} from "./sessions-world.ts";

export type Target = Pick<Input<typeof attachCollection>, "payment_reference" | "customer_reference">;
type Payment = Awaited<ReturnType<typeof createPayment>>;

export const ADA: Actor = { kind: "member", user_id: "usr_ada", email: "ada@example.com" };

/** What tests of attaching do, in this world. */
export async function useAttaching(world: SessionsWorld) {
  const pay = await createPay(world);
  const attached = await recordFacts(world.others, collectionAttached);
  return {
    pay,
    attach: (merchant: Shop, reference: string, target: Target, actor = ADA) =>
      world.others.request(attachCollection, { merchant, reference, ...target }, { actor }),
    /** Money on the merchant's collection account that is no session's exact amount. */
    async unmatched(
      merchant: Shop,
      payment: Payment,
      naira: number,
      afterS = 2,
    ): Promise<{ posted: Posted; reference: string }> {
      const posted = aCollectionFor(payment, merchant, { amount: kobo(naira), afterS });
      const [fact] = await pay(posted);
      expect(fact).toMatchObject({ paymentReference: null, customer: null });
      return { posted, reference: fact?.reference ?? "" };
    },
    read: (merchant: Shop, reference: string): Promise<WireResult<typeof getPayment>> =>
      world.others.request(getPayment, { merchant, reference }),
    /** What was published about it, once for each time. */
    factsOf: ({ intakeId }: Posted) => attached.all.filter((fact) => fact.intakeId === intakeId),
  };
}

/** The code of the refusal, or `none`. */
export const refusalOf = async (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => "none",
    (error) => error.code,
  );
