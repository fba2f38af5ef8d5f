import { type Input, makeKeys, notFound, Problem, rollKey, showMerchant, type WireResult } from "@collect/contracts";
import { exposuresOf } from "../domain/exposure.ts";
import { isAllowed } from "../domain/role.ts";
import { unlessRefused } from "../domain/unless-refused.ts";
import type { Call } from "../http/call.ts";
import { findFormerEmail, insertKept, listFormerRoles, listKept } from "../store/exposures.ts";
import { findTestKey, insertSeenTestKey, listSeenTestKeys, storeTestKey, testKeyOf } from "../store/test-keys.ts";

/** The keys of one mode, masked, with their merchant; for owners with the people who should not know them any more. */
export async function listKeys(call: Call<unknown>) {
  const {
    deps: { pool },
    request,
    member: { role, merchant },
  } = call;
  const [shown, former, kept, seen] = await Promise.all([
    request(showMerchant, { merchant_id: merchant.id }),
    isAllowed(role, "secret_keys") ? listFormerRoles(pool, merchant.id) : [],
    listKept(pool, merchant.id, merchant.mode),
    merchant.mode === "test" ? listSeenTestKeys(pool, merchant.id) : [],
  ]);
  const keptFor = (keyId: string) =>
    new Set(kept.filter(({ key_id }) => key_id === keyId).map(({ user_id }) => user_id));
  const shownTo = (key: Key) => new Set(seen.filter(({ key_id }) => key_id === key.id).map(({ user_id }) => user_id));
  const keys = shown.keys
    .filter(({ mode }) => mode === merchant.mode)
    .map((key) => ({
      ...key,
      exposed_to: exposuresOf(key, former, { kept: keptFor(key.id), shownTo: shownTo(key) }),
    }));
  return { ...shown, keys };
}

/** The first keys of a mode. A test secret key is kept, to be shown again; a live one is only in this response. */
export async function makeKeyPair(call: Call<unknown>) {
  const { id: merchant_id, mode } = call.member.merchant;
  const result = await call.request(makeKeys, { merchant_id, mode });
  if (result.made) await keepTestKey(call, result.made.secret);
  return result;
}

export async function roll(call: Call<Omit<Input<typeof rollKey>, "merchant_id" | "mode">>) {
  const { id: merchant_id, mode } = call.member.merchant;
  const result = await call.request(rollKey, { merchant_id, mode, ...call.input });
  if (call.input.kind === "secret") await keepTestKey(call, result.key);
  return result;
}

/** The newest test secret key that was made here, if it still works. Before the response it is noted who is shown it. */
export async function revealTestKey({ deps: { pool, keyring }, request, member }: Call<unknown>) {
  const { id: merchantId, mode } = member.merchant;
  if (mode !== "test")
    throw new Problem(
      "conflict",
      "A live secret key is shown only once, when it is created. If you have lost it, roll it.",
    );
  const [{ keys }, stored] = await Promise.all([
    request(showMerchant, { merchant_id: merchantId }),
    findTestKey(pool, merchantId),
  ]);
  const key = stored && keys.find((one) => isWorkingTestKey(one) && one.last_four === stored.last_four);
  if (!key) throw notKept();
  await insertSeenTestKey(pool, { merchantId, userId: member.user_id, keyId: key.id });
  return { key_id: key.id, key: keyring.open(stored.sealed, testKeyOf(merchantId)) };
}

type Key = WireResult<typeof showMerchant>["keys"][number];

const isWorkingTestKey = ({ kind, mode, expires_at }: Key) =>
  kind === "secret" && mode === "test" && (expires_at === null || Date.parse(expires_at) > Date.now());

const notKept = () =>
  new Problem(
    "conflict",
    "This test secret key can't be shown, because it was created elsewhere or before we kept them. Roll it: the new one can be shown again.",
  );

/** A key opens in the row of its merchant only. Without sealing nothing is kept: no key is stored in clear. */
async function keepTestKey({ deps: { pool, keyring }, member: { merchant } }: Call<unknown>, key: string) {
  if (merchant.mode !== "test" || !keyring.isSealing) return;
  const sealed = keyring.seal(key, testKeyOf(merchant.id));
  await storeTestKey(pool, { merchantId: merchant.id, lastFour: key.slice(-4), sealed });
}

/** The name of a key, for the audit log, where the gateway says it. */
export async function nameOfKey({ request, member: { merchant }, input }: Call<{ key_id: string }>) {
  const shown = await unlessRefused(request(showMerchant, { merchant_id: merchant.id }));
  const name = shown?.keys.find(({ id }) => id === input.key_id)?.name;
  return { ...(name && { name }) };
}

type Exposed = { key_id: string; user_id: string };

/** An owner's decision that a person who has left may go on knowing a key. */
export async function keepKey(call: Call<Exposed>) {
  const { deps, member, input } = call;
  const { keys } = await listKeys(call);
  const isExposed = keys.some(
    ({ id, exposed_to }) => id === input.key_id && exposed_to.some(({ user_id }) => user_id === input.user_id),
  );
  if (!isExposed) throw notFound();
  const { id: merchantId, mode } = member.merchant;
  const given = { merchantId, mode, keyId: input.key_id, userId: input.user_id, keptBy: member.user_id };
  await insertKept(deps.pool, given);
  return { key_id: input.key_id };
}

export async function emailOfExposed({ deps: { pool }, member: { merchant }, input }: Call<Exposed>) {
  const email = await findFormerEmail(pool, merchant.id, input.user_id);
  return { ...(email && { email }) };
}
