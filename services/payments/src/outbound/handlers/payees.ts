import { answer, type Epochs, type Request } from "@collect/bus";
import { ANNOUNCEMENTS_A_PAGE, acknowledgeNewPayees, listNewPayees } from "@collect/contracts";
import { type Pool, transaction } from "@collect/database";
import { shownName } from "../domain/holder-name.ts";
import {
  type AnnouncementRow,
  acknowledgePayees,
  assignAnnouncements,
  listAnnouncements,
  PAYEES_SHOWN,
} from "../store/payees.ts";

type Deps = { pool: Pool; epochs: Pick<Epochs, "assertCurrent"> };

/** The accounts that live payouts were ordered to for the first time, for the mails about them. */
export function payeeRequests({ pool, epochs }: Deps): Request[] {
  return [
    answer(listNewPayees, async () => {
      // A restored database would take a payee that it has lost for a new one.
      epochs.assertCurrent();
      const limits = { announcements: ANNOUNCEMENTS_A_PAGE, payees: PAYEES_SHOWN };
      const rows = await transaction(pool, async (tx) => {
        await assignAnnouncements(tx, ANNOUNCEMENTS_A_PAGE);
        return listAnnouncements(tx, limits);
      });
      return { announcements: rows.map(({ payees, ...row }) => ({ ...row, payees: payees.map(shownPayee) })) };
    }),

    answer(acknowledgeNewPayees, async ({ keys }) => {
      await acknowledgePayees(pool, keys);
      return {};
    }),
  ];
}

/** With the name as the merchant sees it elsewhere. JSON has no bigint. */
function shownPayee({ name_withheld: nameWithheld, status, ...payee }: AnnouncementRow["payees"][number]) {
  const amount = BigInt(payee.amount);
  const account_name = shownName({ accountName: payee.account_name, nameWithheld, amount }, status);
  return { ...payee, amount, account_name };
}
