import { connectBus, createSeed, publicKeyOf } from "@collect/bus";
import {
  addOperator,
  cancelProposal,
  createMerchant,
  getProposal,
  listOperators,
  listProposals,
  type Problem,
  removeOperator,
  revokeRestrictedKey,
  showMerchant,
  verifyMerchant,
} from "@collect/contracts";
import { brokerAt, OPERATORS } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { useGateway } from "./gateway.ts";
import { codeOf } from "./people.ts";

const [ADA, BOLA] = [createSeed(), createSeed()];
const configured = [`ada:${publicKeyOf(ADA)}`, `bola:${publicKeyOf(BOLA)}`];
const { world } = await useGateway({ FOUR_EYES: "true", OPERATORS: [OPERATORS, ...configured].join(",") });

const BROKER = { ...brokerAt(world.natsUrl, "operator"), name: "operator" as const, log: world.log };

/** The bus as this operator's command line uses it. */
async function operate(operatorSeed: string) {
  const bus = await connectBus({ ...BROKER, operatorSeed });
  afterAll(() => bus.close());
  return bus;
}
const [ada, bola] = await Promise.all([operate(ADA), operate(BOLA)]);

const aMerchant = async () => (await ada.request(createMerchant, { name: "Ada Stores" })).merchant_id;
const isVerified = async (merchant_id: string) =>
  (await ada.request(showMerchant, { merchant_id })).verified_at !== null;
const entries = async (chain: string) => {
  const { rows } = await world.pool.query(
    "select actor_label, action, outcome from audit_entries where chain = $1 order by seq",
    [chain],
  );
  return rows.map(({ actor_label, action, outcome }) => [actor_label, action, outcome]);
};

/** Ada proposes to verify the merchant. */
async function propose(merchant_id: string): Promise<string> {
  const refused = await ada.request(verifyMerchant, { merchant_id }).catch((error) => error);
  expect(refused).toMatchObject({ code: "approval_required" });
  const [, id = ""] = /ops -- approve (prop_[0-9a-f]{24})$/.exec(refused.detail) ?? [];
  return id;
}

test("with four eyes on, a second operator executes exactly what the first proposed, once", async () => {
  const merchant_id = await aMerchant();
  const proposal = await propose(merchant_id);
  expect(await isVerified(merchant_id)).toBe(false);
  expect((await bola.request(listProposals, {})).proposals[0]).toMatchObject({
    ...{ proposal_id: proposal, proposed_by: "ada", state: "waiting", action: "merchant.verified" },
    body: JSON.stringify({ merchant_id }),
  });
  const approve = () => codeOf(bola.request(verifyMerchant, { merchant_id }, { proposal }));
  expect((await Promise.all([approve(), approve(), approve()])).sort()).toEqual(["conflict", "conflict", "fulfilled"]);
  expect(await isVerified(merchant_id)).toBe(true);
  expect(await bola.request(getProposal, { proposal_id: proposal })).toMatchObject({
    state: "approved",
    decided_by: "bola",
  });
  expect(await entries(merchant_id)).toEqual([
    ["ada", "proposal.created", "done"],
    ["bola", "merchant.verified", "unknown"],
    ["bola", "merchant.verified", "done"],
  ]);
});

test("nobody approves their own proposal, nor anything else than what was proposed", async () => {
  const [merchant_id, other] = [await aMerchant(), await aMerchant()];
  const proposal = await propose(merchant_id);
  expect(await codeOf(ada.request(verifyMerchant, { merchant_id }, { proposal }))).toBe("own_proposal");
  expect(await codeOf(bola.request(verifyMerchant, { merchant_id: other }, { proposal }))).toBe("conflict");
  const unknown = `prop_${"0".repeat(24)}`;
  expect(await codeOf(bola.request(verifyMerchant, { merchant_id }, { proposal: unknown }))).toBe("not_found");
  expect([await isVerified(merchant_id), await isVerified(other)]).toEqual([false, false]);
});

test("a proposal that was cancelled or has expired is not executed", async () => {
  const merchant_id = await aMerchant();
  const [cancelled, expired] = [await propose(merchant_id), await propose(merchant_id)];
  expect(await bola.request(cancelProposal, { proposal_id: cancelled })).toMatchObject({ state: "cancelled" });
  await world.owner.query("update proposals set expires_at = clock_timestamp() where id = $1", [expired]);
  for (const proposal of [cancelled, expired])
    expect(await codeOf(bola.request(verifyMerchant, { merchant_id }, { proposal }))).toBe("conflict");
  expect(await codeOf(bola.request(cancelProposal, { proposal_id: expired }))).toBe("conflict");
  expect(await isVerified(merchant_id)).toBe(false);
});

test("an operator is added by two, and a removed one is refused at once and for ever", async () => {
  const chi = createSeed();
  const added = { name: "chi", public_key: publicKeyOf(chi) };
  const bus = await operate(chi);
  const create = () => codeOf(bus.request(createMerchant, { name: "Chi Stores" }));
  expect(await create()).toBe("invalid_operator");
  const refused: Problem = await ada.request(addOperator, added).catch((error) => error);
  const proposal = refused.detail.split(" ").at(-1);
  expect(await create()).toBe("invalid_operator");
  await bola.request(addOperator, added, { proposal });
  expect(await create()).toBe("fulfilled");

  expect(await ada.request(removeOperator, { name: "chi" })).toEqual({ removed: 1 });
  expect(await create()).toBe("invalid_operator");
  expect(await codeOf(bola.request(removeOperator, { name: "chi" }))).toBe("not_found");
  const again: Problem = await ada.request(addOperator, added).catch((error) => error);
  expect(await codeOf(bola.request(addOperator, added, { proposal: again.detail.split(" ").at(-1) }))).toBe("conflict");
  expect(
    (await ada.request(listOperators, {})).operators.find(({ name }) => name === "chi")?.removed_at,
  ).not.toBeNull();
});

test("an operator says why a restricted key is revoked", async () => {
  const revoked = { merchant_id: await aMerchant(), mode: "test" as const, key_id: "1" };
  expect(await codeOf(ada.request(revokeRestrictedKey, revoked))).toBe("validation_failed");
  expect(await codeOf(ada.request(revokeRestrictedKey, { ...revoked, reason: "leaked" }))).toBe("not_found");
});

test("what only operators may send is refused with an unknown key, with another's signature, and when it is repeated", async () => {
  const name = "Forged Stores";
  const count = async () => (await world.pool.query("select from merchants where name = $1", [name])).rowCount;
  const asAda = { requestId: "ops_1", actor: { kind: "operator" as const, name: "ada" } };
  const mallory = await operate(createSeed());
  expect(await codeOf(mallory.request(createMerchant, { name }))).toBe("invalid_operator");
  expect(await codeOf(mallory.request(createMerchant, { name }, asAda))).toBe("invalid_operator");

  // The broker lets an operator in, but the gateway wants a signature: none, and one of ada's that somebody saw.
  type Headers = NonNullable<Parameters<typeof mallory.nats.request>[2]>["headers"];
  const send = async (body: object, headers?: Headers) => {
    const options = { timeout: 5_000, ...(headers && { headers }) };
    return (await mallory.nats.request("gateway.merchant.create", JSON.stringify(body), options)).json();
  };
  const refusal = { problem: { code: "invalid_operator" } };
  expect(await send({ name })).toMatchObject(refusal);
  expect(await count()).toBe(0);
  const seen = world.others.nats.subscribe("gateway.merchant.create", { max: 1 });
  await world.others.nats.flush();
  await ada.request(createMerchant, { name });
  for await (const { headers } of seen)
    for (const body of [{ name }, { name: "Other Stores" }]) expect(await send(body, headers)).toMatchObject(refusal);
  expect(await count()).toBe(1);
});
