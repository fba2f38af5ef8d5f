import { answer, type Epochs, type Request } from "@collect/bus";
import {
  BENEFICIARIES_MAX,
  isReferenceOf,
  listBeneficiaries,
  Problem,
  removeBeneficiary,
  saveBeneficiary,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { shownName } from "../domain/holder-name.ts";
import { deleteBeneficiary, insertBeneficiary, listSaved } from "../store/beneficiaries.ts";
import { findTransfer } from "../store/transfers.ts";

type Deps = { pool: Pool; epochs: Pick<Epochs, "assertCurrent"> };

/** The accounts that a merchant saved to pay them again. */
export function beneficiaryRequests({ pool, epochs }: Deps): Request[] {
  return [
    answer(listBeneficiaries, async ({ merchant }) => ({ data: await listSaved(pool, merchant, BENEFICIARIES_MAX) })),

    answer(saveBeneficiary, async ({ merchant, reference }, { actor }) => {
      const transfer = isReferenceOf("trf", reference) ? await findTransfer(pool, merchant, reference) : undefined;
      if (!transfer) {
        epochs.assertCurrent();
        throw new Problem("not_found", "There is no such transfer.");
      }
      // Money that came back was for an account that does not take it.
      if (transfer.status !== "success")
        throw new Problem("conflict", "Only the account of a transfer that succeeded can be saved.");
      const account = { ...transfer, accountName: shownName(transfer, transfer.status) };
      const saved = await insertBeneficiary(pool, merchant, account, { by: actor, max: BENEFICIARIES_MAX });
      if (!saved)
        throw new Problem("conflict", `${BENEFICIARIES_MAX} beneficiaries are saved. Remove one of them first.`);
      return saved;
    }),

    answer(removeBeneficiary, async ({ merchant, ...account }) => {
      await deleteBeneficiary(pool, merchant, account);
      return {};
    }),
  ];
}
