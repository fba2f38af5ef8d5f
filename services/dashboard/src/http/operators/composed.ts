import type { Bus } from "@collect/bus";
import {
  auditFault,
  deadLetterRequests,
  getCompletenessProof,
  getLedgerProof,
  listUnfinished,
  type RequestContext,
} from "@collect/contracts";
import type { z } from "zod";
import type { DeadLetters, SelfAudit } from "../../calls/operators.ts";

type Context = Pick<RequestContext, "requestId">;

/** The dead letters of every service. */
export async function readDeadLetters(bus: Bus, context: Context): Promise<z.input<typeof DeadLetters>> {
  const { rows, silent } = await fromEach(
    Object.fromEntries(
      Object.entries(deadLetterRequests).map(([service, { list }]) => [
        service,
        async () => (await bus.request(list, {}, context)).dead_letters.map((letter) => ({ ...letter, service })),
      ]),
    ),
  );
  return { dead_letters: rows, silent };
}

/** The parts of the self-audit, each with its fault if it has one, as `ops -- audit` prints them. */
export async function readSelfAudit(bus: Bus, context: Context): Promise<z.input<typeof SelfAudit>> {
  const reports = { accounts: getCompletenessProof, ledger: getLedgerProof, payments: listUnfinished };
  const { rows, silent } = await fromEach(
    Object.fromEntries(
      Object.entries(reports).map(([service, report]) => [
        service,
        async () =>
          (await bus.request(report, {}, context)).parts.map((part) => ({
            ...{ service, name: part.name, compares: part.compares, proven_at: part.proven_at },
            fault: auditFault(part) ?? null,
            differences: part.differences.slice(0, DIFFERENCES_MAX),
          })),
      ]),
    ),
  );
  return { parts: rows, silent };
}

/** What several services know, each asked at the same time; who does not answer is named, and not left out. */
async function fromEach<Row>(asked: Record<string, () => Promise<Row[]>>): Promise<{ rows: Row[]; silent: string[] }> {
  const services = Object.entries(asked);
  const answers = await Promise.allSettled(services.map(([, ask]) => ask()));
  return {
    rows: answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : [])),
    silent: services.flatMap(([service], at) => (answers[at]?.status === "rejected" ? [service] : [])),
  };
}

/** At most this many of a part are listed. */
const DIFFERENCES_MAX = 20;
