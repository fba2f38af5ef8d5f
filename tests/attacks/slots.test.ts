import { afterAll, expect, test } from "vitest";
import { solve } from "../../services/checkout/src/page/browser/proof.js";
import { type Answer, client } from "../stack/client.ts";
import { startStack } from "../stack.ts";

const behindProxy = { TRUSTED_PROXIES: "1" };
// A pool of two accounts for public callers: 198 slots of a price, of which one client may hold 19 unpaid.
const stack = await startStack({
  env: { checkout: behindProxy, gateway: behindProxy, payments: { PUBLIC_COLLECTION_ACCOUNTS_MAX: "2" } },
});
afterAll(() => stack.stop());

const PRICE = 2_500;
const SHARE = 19;
const [ATTACKER, PAYER] = ["203.0.113.7", "198.51.100.9"];
const DOORS = { "the checkout host": stack.checkoutUrl, "the merchant API": stack.baseUrl };

function browserAt(address: string, { key, door }: { key?: string; door: string }) {
  const caller = client(door, key);
  const post = (path: string, json: object) =>
    caller.send("POST", path, { json, headers: { "x-forwarded-for": address } });
  return {
    open: (fields: object = {}) => post("/checkout", { amount: PRICE, ...fields }),
    give: (reference: unknown, fields: object = {}) =>
      post(`/checkout/${reference}/details`, { name: "Ada Obi", email: "ada@example.com", ...fields }),
  };
}

const solved = ({ body }: Answer) => {
  const { challenge, difficulty } = Object(body.proof);
  return solve({ challenge, difficulty });
};

/** Repeats a call with the proofs that it is asked for, as a program of the attacker does. */
async function insisting(call: (fields: object) => Promise<Answer>): Promise<Answer> {
  let answer = await call({});
  for (let times = 0; answer.body.code === "proof_required" && times < 5; times++)
    answer = await call({ proof: await solved(answer) });
  return answer;
}

test.each(Object.entries(DOORS))(
  "one client that computes every proof at %s holds a tenth of a price, and another client still gets an amount",
  async (_name, door) => {
    const { keys } = await stack.createMerchant({ name: "Ada Stores" });
    const attacker = browserAt(ATTACKER, { key: keys.pk_live, door });
    const answers: Answer[] = [];
    for (let n = 0; n < 2 * SHARE; n++) {
      const { body } = await insisting((fields) => attacker.open(fields));
      answers.push(await insisting((fields) => attacker.give(body.reference, fields)));
    }
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(SHARE);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(["amount_slots_exhausted"]));

    const payer = browserAt(PAYER, { key: keys.pk_live, door });
    const { body } = await payer.open();
    expect((await payer.give(body.reference)).body).toMatchObject({
      account_number: expect.stringMatching(/^\d{10}$/),
    });
  },
);

test("challenges that are collected by many addresses are of no use to one", async () => {
  const { keys } = await stack.createMerchant();
  const at = (address: string) => browserAt(address, { key: keys.pk_live, door: stack.checkoutUrl });
  const exhaust = async (address: string) => {
    let answer = await at(address).open();
    while (answer.status === 201) answer = await at(address).open();
    return answer;
  };
  const [collected, own] = [await exhaust("203.0.113.8"), await exhaust(ATTACKER)];
  const proof = await solved(collected);
  expect((await at(ATTACKER).open({ proof })).body.code).toBe("proof_required");
  expect((await at(ATTACKER).open({ proof: await solved(own) })).status).toBe(201);
});
