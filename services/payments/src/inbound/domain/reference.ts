/**
 * The public reference of a collection that is matched to no session. It is derived from the intake id, which is
 * derived from bank, mode and the bank's id: a restore or a repeat never changes it.
 */
export function collectionReference(intakeId: string): string {
  return intakeId.replace(/^int_/, "col_");
}

/** The public reference of a reversal, derived in the same way. */
export const reversalReference = (intakeId: string): string => intakeId.replace(/^int_/, "rev_");
