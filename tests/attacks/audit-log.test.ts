import { connectBus, createSeed, publicKeyOf } from "@collect/bus";
import {
  addOperator,
  exportAuditLog,
  listOperators,
  Problem,
  REQUESTS,
  removeOperator,
  setFeeSchedule,
  verifyAuditLog,
} from "@collect/contracts";
import { createLogger } from "@collect/runtime";
import { brokerAt, OPERATORS, until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { client } from "../stack/client.ts";
import { aMember } from "../stack/person.ts";
import { startStack } from "../stack.ts";

const [ADA, BOLA] = [createSeed(), createSeed()];
const people = [`ada:${publicKeyOf(ADA)}`, `bola:${publicKeyOf(BOLA)}`];
const stack = await startStack({ env: { gateway: { OPERATORS: [OPERATORS, ...people].join(",") } } });
afterAll(() => stack.stop());

const operate = async (operatorSeed: string) => {
  const broker = brokerAt(stack.natsUrl, "operator");
  const bus = await connectBus({ ...broker, name: "operator", log: createLogger("tests", "silent"), operatorSeed });
  afterAll(() => bus.close());
  return bus;
};
const [ada, bola] = await Promise.all([operate(ADA), operate(BOLA)]);

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => "fulfilled",
    (error) => error instanceof Problem && error.code,
  );
/** A merchant's log, as the operator exports it. */
const logOf = async (merchant_id: string) => {
  const span = { from: "2020-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z", after: "0" };
  return (await ada.request(exportAuditLog, { merchant_id, ...span })).entries;
};

test("a request id like an operator's writes nothing special, and a key cannot appear as an operator", async () => {
  const { id, keys } = await stack.createMerchant();
  const forged = {
    "x-request-id": "ops_1",
    actor: '{"kind":"operator","name":"ada"}',
    operator: "ada",
    "operator-key": publicKeyOf(ADA),
  };
  const api = client(stack.baseUrl, keys.sk_live);
  const json = { customer_reference: "cust_1", customer_name: "Ada Obi", actor: { kind: "operator", name: "ada" } };
  const { headers } = await api.send("POST", "/customer_accounts", { json, headers: forged });
  expect(headers.get("x-request-id")).toBe("ops_1");
  const acts = (await logOf(id)).filter(({ action }) => action === "customer.issued");
  expect(acts).toHaveLength(2);
  for (const act of acts) {
    expect([act.actor_kind, act.actor_label]).toEqual(["key", `sk_live_…${keys.sk_live.slice(-4)}`]);
    expect([act.request_id, act.client_request_id]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), "ops_1"]);
  }
});

test("a member cannot appear as an operator either, and what an operator did about a business is in its log", async () => {
  const { id } = await stack.createMerchant();
  const owner = await aMember(stack, id, "owner");
  await ada.request(setFeeSchedule, { merchant_id: id, basis_points: 150 });
  await owner.call("POST", `/api/m/${id}/test/keys/roll`, { kind: "secret", overlap_hours: 0, operator: "ada" });
  await until("the sign-in was copied", async () => (await logOf(id)).some(({ action }) => action === "password.set"));
  const { body } = await owner.call("GET", `/api/m/${id}/test/audit?limit=100`);
  expect(body.data).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        action: "key.rolled",
        outcome: "done",
        who: { kind: "member", name: owner.name, email: owner.email },
      }),
      expect.objectContaining({
        action: "fee.set",
        outcome: "done",
        detail: { basis_points: 150 },
        who: { kind: "operator", name: "ada", email: null },
      }),
    ]),
  );
  expect(await ada.request(verifyAuditLog, { chain: id, after: null })).toMatchObject({ chains: [{ fault: null }] });
});

test("whatever an operator can send is a read, a simulation or an act, and an act without a record does not happen", async () => {
  const ofOperators = REQUESTS.filter(({ callers }) => callers.includes("operator"));
  expect(ofOperators.length).toBeGreaterThan(40);
  const stranger = await operate(createSeed());
  for (const contract of ofOperators.filter(({ operator }) => typeof operator === "object")) {
    const code = await codeOf(stranger.request({ ...contract, deadlineMs: 5_000 }, {}));
    // Fields are checked first; everything that has none, or only optional ones, gets as far as the signature.
    expect(["invalid_operator", "validation_failed"], contract.subject).toContain(code);
  }
});

test("an operator who was removed is refused at once, and the others go on", async () => {
  const { id } = await stack.createMerchant();
  const chi = createSeed();
  await ada.request(addOperator, { name: "chi", public_key: publicKeyOf(chi) });
  const bus = await operate(chi);
  const set = (basis_points: number) => codeOf(bus.request(setFeeSchedule, { merchant_id: id, basis_points }));
  expect(await set(110)).toBe("fulfilled");
  await bola.request(removeOperator, { name: "chi" });
  expect(await set(120)).toBe("invalid_operator");
  expect((await logOf(id)).filter(({ action }) => action === "fee.set")).toHaveLength(2);
  expect((await ada.request(listOperators, {})).operators.map(({ name }) => name)).toContain("chi");
});

test("with four eyes on, one operator alone changes no fee", async () => {
  const { id } = await stack.createMerchant();
  await stack.service("gateway").restart({ env: { FOUR_EYES: "true" } });
  const fee = { merchant_id: id, basis_points: 0 };
  const refused: Problem = await ada.request(setFeeSchedule, fee).catch((error) => error);
  expect(refused).toMatchObject({ code: "approval_required" });
  const proposal = refused.detail.split(" ").at(-1);
  expect(await codeOf(ada.request(setFeeSchedule, fee, { proposal }))).toBe("own_proposal");
  expect(await codeOf(bola.request(setFeeSchedule, { ...fee, basis_points: 1 }, { proposal }))).toBe("conflict");
  expect(await codeOf(bola.request(setFeeSchedule, fee, { proposal }))).toBe("fulfilled");
  expect(await codeOf(bola.request(setFeeSchedule, fee, { proposal }))).toBe("conflict");
  const acts = (await logOf(id)).filter(({ action, about }) => /fee|proposal/.test(action) && about === null);
  expect(acts.map(({ actor_label, action }) => [actor_label, action])).toEqual([
    ["ada", "proposal.created"],
    ["bola", "fee.set"],
  ]);
});
