import { notFound, showMerchant } from "@collect/contracts";
import { exposuresOf } from "../domain/exposure.ts";
import { isAllowed } from "../domain/role.ts";
import { unlessRefused } from "../domain/unless-refused.ts";
import type { Call } from "../http/call.ts";
import { findFormerEmail, insertKept, listFormerRoles, listKept } from "../store/exposures.ts";

/** The keys of one mode, masked, with their merchant; for owners with the people who should not know them any more. */
export async function listKeys(call: Call<unknown>) {
  const {
    deps: { pool },
    request,
    member: { role, merchant },
  } = call;
  const [shown, former, kept] = await Promise.all([
    request(showMerchant, { merchant_id: merchant.id }),
    isAllowed(role, "secret_keys") ? listFormerRoles(pool, merchant.id) : [],
    listKept(pool, merchant.id, merchant.mode),
  ]);
  const keptFor = (keyId: string) =>
    new Set(kept.filter(({ key_id }) => key_id === keyId).map(({ user_id }) => user_id));
  const keys = shown.keys
    .filter(({ mode }) => mode === merchant.mode)
    .map((key) => ({ ...key, exposed_to: exposuresOf(key, former, keptFor(key.id)) }));
  return { ...shown, keys };
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
