/**
 * The public reference of a collection that is matched to no session. Derived from the intake id, which is derived from
 * bank, mode and the bank's id: whatever is restored or repeated, a collection keeps its name.
 */
export function collectionReference(intakeId: string): string {
  return intakeId.replace(/^int_/, "col_");
}
