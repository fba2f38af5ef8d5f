import { type Actor, Problem } from "@collect/contracts";
import { approvesFrom, mayApprove, type Transfer } from "../domain/transfer.ts";

/** Refuses the person who ordered it, and who may approve live payouts for less than a day. */
export function assertMayApprove(
  { orderedBy, mode }: Pick<Transfer, "orderedBy" | "mode">,
  actor: Actor,
  approvingSince: string,
): void {
  if (!mayApprove(orderedBy, actor))
    throw new Problem(
      "second_person_required",
      orderedBy?.kind === "key"
        ? "You made the key that ordered this transfer. Another owner, or a member with the finance role, has to approve it."
        : "You ordered this transfer. Another owner, or a member with the finance role, has to approve it.",
    );
  const from = approvesFrom(mode, new Date(approvingSince), new Date());
  if (from)
    throw new Problem(
      "approver_too_new",
      `You can approve payouts from ${inLagos(from)}, a day after you were given the role. Until then another owner or finance member has to.`,
    );
}

/** To the next full minute, so that what is said is true. */
const inLagos = (time: Date) => `${LAGOS.format(Math.ceil(time.getTime() / 60_000) * 60_000)} (Lagos time)`;
const LAGOS = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "Africa/Lagos" });
