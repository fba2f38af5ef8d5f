import type { BankPartner } from "@collect/bank";
import { answer, type Request } from "@collect/bus";
import { checkPartners, choosePartner, listPartners, Problem, settleOpening } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { type Partners, partnerFor, partnerOf } from "../domain/partners.ts";
import { listChoices, storeChoice } from "../store/partner-choices.ts";
import { finishOpening, setAside } from "../store/pooled-accounts.ts";
import { listUnanswered, readPool, unansweredAt } from "../store/pools.ts";

/** The operator's view of the partners, and which of them issues the accounts of which merchant. */
export function partnerRequests({ pool, partners }: { pool: Pool; partners: Partners }): Request[] {
  return [
    answer(listPartners, async () => ({
      partners: await Promise.all(
        partners.all.map(async (partner) => ({
          ...{ id: partner.id, name: partner.name, is_default: partner.id === partners.standard.id },
          ...{ door: partner.notifications.path, needs: [...partner.issuer.needs] },
          pool: await poolOf(pool, partner),
          can: capabilitiesOf(partner),
        })),
      ),
      ...(await listChoices(pool)),
    })),

    answer(choosePartner, async ({ merchant_id, partner }) => {
      if (partner !== null && !partnerOf(partners, partner)) throw unknownPartner(partners);
      await storeChoice(pool, merchant_id, partner);
      return { merchant_id, partner: partnerFor(partners, partner ?? undefined).id };
    }),

    answer(settleOpening, async ({ id, account_number }) => {
      const opening = await unansweredAt(pool, id);
      const partner = opening && partnerOf(partners, opening);
      if (!partner) throw new Problem("not_found", "No opening with this id waits for an answer.");
      if (account_number === null) {
        await setAside(pool, id, "an operator: the bank has no such account");
        return { id, state: "set_aside" as const };
      }
      const state = await finishOpening(pool, { id, accountNumber: account_number, bankName: partner.name });
      if (!state) throw new Problem("conflict", "The number is known already, or the opening was settled.");
      return { id, state };
    }),

    answer(checkPartners, async () => ({
      partners: await Promise.all(
        partners.all.map(async ({ id, check }) => ({
          id,
          checks: (await check()).map(({ name, isOk, detail }) => ({ name, is_ok: isOk, detail })),
        })),
      ),
    })),
  ];
}

/** Read off the adapter, where what a partner cannot do is absent. */
const capabilitiesOf = ({ issuer, notifications, lookup }: BankPartner) => ({
  issues: issuer.kind,
  reports: [...notifications.reports],
  confirms_reports: notifications.confirm !== undefined,
  finds_by_id: lookup !== undefined,
  finds_by_session: lookup?.bySession !== undefined,
});

async function poolOf(pool: Pool, { id, issuer }: BankPartner) {
  if (issuer.kind !== "from_pool") return null;
  const [{ free, set_aside }, unanswered] = await Promise.all([readPool(pool, id), listUnanswered(pool, id)]);
  return { free, set_aside, unanswered };
}

const unknownPartner = ({ all }: Partners) =>
  new Problem("validation_failed", `There is no such partner. Configured are: ${all.map(({ id }) => id).join(", ")}.`);
