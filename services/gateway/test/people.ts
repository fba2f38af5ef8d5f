import { getVerification, makeKeys, Problem, registerMerchant, showMerchant } from "@collect/contracts";
import { randomId, type World } from "@collect/testing";

export const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => "fulfilled",
    (error) => error instanceof Problem && error.code,
  );

/** A merchant as created by a sign-up: without keys. */
export async function aSignUp(world: World, name = "Ada Stores"): Promise<string> {
  const { merchant_id } = await world.others.request(
    registerMerchant,
    { merchant_id: randomId("mer"), name },
    { requestId: "req-1" },
  );
  return merchant_id;
}

export const DETAILS = {
  registered_name: "Ada Stores Limited",
  rc_number: "RC 123456",
  address: "12 Marina\nLagos",
  contact_name: "Ada Obi",
  contact_email: "ada@example.com",
  contact_phone: "+234 803 123 4567",
  settlement_bank_code: "058",
  settlement_account_number: "0123456789",
};

/** Requests about one merchant, and its audit log. */
export function about(world: World, merchant_id: string) {
  return {
    verification: () => world.others.request(getVerification, { merchant_id }),
    merchant: () => world.others.request(showMerchant, { merchant_id }),
    make: (mode: "test" | "live") => world.others.request(makeKeys, { merchant_id, mode }, { requestId: "req-keys" }),
    async audit(): Promise<unknown[][]> {
      const { rows } = await world.pool.query(
        "select action, detail, request_id from audit_entries where merchant_id = $1 and about is null order by seq",
        [merchant_id],
      );
      return rows.map(({ action, detail, request_id }) => [action, JSON.parse(detail), request_id]);
    },
  };
}
