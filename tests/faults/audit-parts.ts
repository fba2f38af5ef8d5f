import { type AuditPart, auditFault, getCompletenessProof, getLedgerProof, listUnfinished } from "@collect/contracts";
import { until } from "@collect/testing";
import type { Stack } from "../stack.ts";

/** Every part of the audit, and the reason of each failure. */
export async function auditOf({ bus }: Stack): Promise<{ parts: AuditPart[]; faults: string[] }> {
  const [completeness, ledger, payments] = await Promise.all([
    bus.request(getCompletenessProof, {}),
    bus.request(getLedgerProof, {}),
    bus.request(listUnfinished, {}),
  ]);
  const parts = [...completeness.parts, ...ledger.parts, ...payments.parts];
  const faults = parts.flatMap((part) => {
    const fault = auditFault(part);
    return fault ? [`${part.name} ${fault}`] : [];
  });
  return { parts, faults };
}

/** Every difference that the audit reports, with its part. */
export async function differencesIn(stack: Stack): Promise<string[]> {
  const { parts } = await auditOf(stack);
  return parts.flatMap(({ name, differences }) => differences.map(({ what, where }) => `${name}: ${where}: ${what}`));
}

/** Waits until each part holds and has been proven after this call. */
export async function untilEverythingHolds(stack: Stack): Promise<void> {
  const since = new Date().toISOString();
  const isProvenSince = (part: AuditPart) => (part.proven_at ?? "") > since;
  await until(
    "every part holds",
    async () => {
      const { parts, faults } = await auditOf(stack).catch(() => ({
        parts: [],
        faults: ["a service does not answer"],
      }));
      return faults.length === 0 && parts.every(isProvenSince);
    },
    60_000,
  );
}
