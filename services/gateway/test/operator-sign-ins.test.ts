import { connectBus, createSeed, publicKeyOf } from "@collect/bus";
import { getOperatorKey, resetOperatorSignIn, setUpOperatorSignIn, signInOperator } from "@collect/contracts";
import { brokerAt, OPERATORS } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { codeOf as totp } from "../src/domain/operator-sign-in.ts";
import { useGateway } from "./gateway.ts";
import { codeOf } from "./people.ts";

const names = ["ada", "bola", "chi", "dayo"] as const;
const seeds = names.map((name) => ({ name, seed: createSeed() }));
const configured = seeds.map(({ name, seed }) => `${name}:${publicKeyOf(seed)}`);
const { world } = await useGateway({ OPERATORS: [OPERATORS, ...configured].join(",") });

const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const PASSWORD = "four plain words here";
const present = () => Math.floor(Date.now() / 30_000);
/** The code of this half minute, or of the next, which is accepted too. */
const code = (later = 0) => totp(SECRET, present() + later);
const setUp = { password: PASSWORD, totp_secret: SECRET };

async function operate(name: (typeof names)[number]) {
  const operatorSeed = seeds.find((each) => each.name === name)?.seed ?? "";
  const broker = { ...brokerAt(world.natsUrl, "operators"), name: "operator" as const, log: world.log };
  const bus = await connectBus({ ...broker, operatorSeed });
  afterAll(() => bus.close());
  return { bus, public_key: publicKeyOf(operatorSeed) };
}

const acts = async (name: string) => {
  const { rows } = await world.pool.query(
    "select action, outcome, detail from audit_entries where actor_label = $1 and outcome <> 'unknown' order by seq",
    [name],
  );
  return rows.map(({ action, outcome, detail }) => `${action} ${outcome} ${detail}`);
};

test("an operator signs in with key, password and code, each code once, and every attempt is in the audit log", async () => {
  const { bus, public_key } = await operate("ada");
  const signIn = (given: Partial<typeof attempt> = {}) => codeOf(bus.request(signInOperator, { ...attempt, ...given }));
  const attempt = { password: PASSWORD, code: code(1) };
  expect(await bus.request(getOperatorKey, { public_key })).toEqual({
    ...{ name: "ada", can_sign_in: false, set_up_at: null },
  });
  expect(await signIn()).toBe("not_found");
  expect(await codeOf(bus.request(setUpOperatorSignIn, { ...setUp, code: "000000" }))).toBe("validation_failed");
  expect(await codeOf(bus.request(setUpOperatorSignIn, { ...setUp, password: "short", code: code() }))).toBe(
    "validation_failed",
  );
  const chosen = await bus.request(setUpOperatorSignIn, { ...setUp, code: code() });
  expect(await bus.request(getOperatorKey, { public_key })).toEqual({ ...chosen, can_sign_in: true });
  expect(await signIn({ password: "not the password" })).toBe("invalid_operator");
  expect(await signIn({ code: "000000" })).toBe("invalid_operator");
  const fresh = code(1);
  const outcomes = await Promise.all([signIn({ code: fresh }), signIn({ code: fresh }), signIn({ code: fresh })]);
  expect(outcomes.sort()).toEqual(["fulfilled", "invalid_operator", "invalid_operator"]);
  expect(await signIn({ code: code(-1) })).toBe("invalid_operator");
  const recorded = await acts("ada");
  expect(recorded.filter((entry) => entry === "operator.signed_in done {}")).toHaveLength(1);
  expect(recorded).toContain('operator.signed_in refused {"code":"invalid_operator"}');
  expect(recorded.join()).not.toMatch(new RegExp(`${PASSWORD}|${SECRET}`));
});

test("a password is replaced by nothing but a reset, and what is chosen then is another sign-in", async () => {
  const { bus, public_key } = await operate("bola");
  const chosenAt = async () => (await bus.request(getOperatorKey, { public_key })).set_up_at;
  const choose = (password: string, later = 0) =>
    codeOf(bus.request(setUpOperatorSignIn, { ...setUp, password, code: code(later) }));
  expect((await Promise.all([choose(PASSWORD), choose("another one of hers")])).sort()).toEqual([
    "conflict",
    "fulfilled",
  ]);
  const ada = await operate("ada");
  const before = await chosenAt();
  expect(await codeOf(ada.bus.request(resetOperatorSignIn, { name: "bola" }))).toBe("fulfilled");
  expect(await codeOf(ada.bus.request(resetOperatorSignIn, { name: "bola" }))).toBe("not_found");
  expect(await chosenAt()).toBeNull();
  expect(await choose("a third one of hers")).toBe("fulfilled");
  const attempt = { password: "a third one of hers", code: code(1) };
  const { set_up_at } = await bus.request(signInOperator, attempt);
  expect([set_up_at, set_up_at > String(before)]).toEqual([await chosenAt(), true]);
});

test("after ten wrong attempts not even the right password and code sign in", async () => {
  const { bus } = await operate("chi");
  await bus.request(setUpOperatorSignIn, { ...setUp, code: code() });
  const wrong = () => codeOf(bus.request(signInOperator, { password: "a wrong password", code: "000000" }));
  const refused = await Promise.all(Array.from({ length: 12 }, wrong));
  expect(refused.filter((each) => each === "rate_limited")).toHaveLength(2);
  const right = () => codeOf(bus.request(signInOperator, { password: PASSWORD, code: code(1) }));
  expect(await right()).toBe("rate_limited");
  await world.owner.query("update operator_sign_ins set attempts_since = attempts_since - interval '15 minutes'");
  expect(await right()).toBe("fulfilled");
});

test("a key that is no operator's can try nothing", async () => {
  const seed = createSeed();
  const broker = { ...brokerAt(world.natsUrl, "operators"), name: "operator" as const, log: world.log };
  // The broker's key of the pages' process signs nothing either.
  for (const options of [{ operatorSeed: seed }, {}]) {
    const bus = await connectBus({ ...broker, ...options });
    afterAll(() => bus.close());
    expect(await codeOf(bus.request(setUpOperatorSignIn, { ...setUp, code: code() }))).toBe("invalid_operator");
    expect(await codeOf(bus.request(signInOperator, { password: PASSWORD, code: code() }))).toBe("invalid_operator");
    expect(await codeOf(bus.request(resetOperatorSignIn, { name: "ada" }))).toBe("invalid_operator");
    expect(await codeOf(bus.request(getOperatorKey, { public_key: publicKeyOf(seed) }))).toBe("not_found");
  }
});
