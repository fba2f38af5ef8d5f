import { type AuditPart, auditFault, getCompletenessProof, getLedgerProof, listUnfinished } from "@collect/contracts";
import { until } from "@collect/testing";
import type { Stack } from "../stack.ts";

/** What the audit says of every part, and of those that fail why. */
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

/** Every difference that the audit names, with the part that does. */
export async function differencesIn(stack: Stack): Promise<string[]> {
  const { parts } = await auditOf(stack);
  return parts.flatMap(({ name, differences }) => differences.map(({ what, where }) => `${name}: ${where}: ${what}`));
}

/** Waits until each part is proven, holds, and has looked at what was there when this was called. */
export async function untilEverythingHolds(stack: Stack): Promise<void> {
  const asked = new Date().toISOString();
  const looked = (part: AuditPart) => (part.proven_at ?? "") > asked;
  await until(
    "everything holds",
    async () => {
      const { parts, faults } = await auditOf(stack).catch(() => ({ parts: [], faults: ["a service is away"] }));
      return faults.length === 0 && parts.every(looked);
    },
    60_000,
  );
}
