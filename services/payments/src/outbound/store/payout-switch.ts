import { type Session, statement } from "@collect/database";

export type PayoutSwitch = { stopped: boolean; reason: string | null; changedAt: string };

const COLUMNS = `stopped, reason, changed_at as "changedAt"`;

const read = statement<PayoutSwitch>(`select ${COLUMNS} from payout_switch where id = $1`);

/** The operator's switch for all live payouts. */
export async function readSwitch(tx: Session): Promise<PayoutSwitch> {
  const [row] = await read(tx, [1]);
  if (!row) throw new Error("payout_switch has no row");
  return row;
}

const readOf = statement<{ stopped: boolean; choice: string | null }>(`
  select stopped, (select partner from payout_partner_choices where merchant_id = $2) as choice from payout_switch where id = $1`);

/** The switch, and the partner that was chosen for a merchant's payouts, if any, in one statement: every order reads both. */
export async function readSwitchOf(
  tx: Session,
  merchantId: string,
): Promise<{ stopped: boolean; choice: string | null }> {
  const [row] = await readOf(tx, [1, merchantId]);
  if (!row) throw new Error("payout_switch has no row");
  return row;
}

/**
 * The update waits for every statement that is claiming a payout for sending, because those lock the row; each that comes later reads
 * what this one committed.
 */
const set = statement<PayoutSwitch>(`
  with changed as (
    update payout_switch set stopped = $2, reason = $3, changed_at = clock_timestamp(), request_id = $4
    where id = $1 and stopped <> $2
    returning stopped, reason, changed_at, request_id
  ), noted as (
    insert into payout_switch_changes (stopped, reason, changed_at, request_id)
    select stopped, reason, changed_at, request_id from changed
  )
  select ${COLUMNS} from changed`);

/** Sets the switch and records who asked and why. A switch that is already set so keeps its reason and time. */
export async function setSwitch(
  tx: Session,
  { stopped, reason, requestId }: { stopped: boolean; reason: string; requestId: string },
): Promise<PayoutSwitch> {
  const [changed] = await set(tx, [1, stopped, reason, requestId]);
  return changed ?? (await readSwitch(tx));
}
