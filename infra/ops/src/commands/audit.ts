import {
  type AuditPart,
  auditFault,
  deadLetterRequests,
  getCompletenessProof,
  getLedgerProof,
  listUnfinished,
} from "@collect/contracts";
import { Command } from "commander";
import { type SendRequest, withBus } from "../bus.ts";
import { json } from "../options.ts";
import { type Output, print } from "../print.ts";

export function auditCommand(): Command {
  return new Command("audit")
    .description("show each part of the self-audit: its result, the age of its proof, differences, and unfinished work")
    .addOption(json())
    .action((options: Output) => audit(options));
}

/** Reads all reports concurrently. A part that could not be read fails; exits with 1 unless every part holds. */
function audit(options: Output): Promise<void> {
  return withBus(async (send) => {
    const reports = await Promise.all(REPORTS.map((report) => readReport(send, report)));
    const parts = reports.flatMap((report) => report.parts);
    const proof = { holds: parts.every((part) => auditFault(part) === undefined), parts };
    print(proof, options, () => text(proof.parts));
    if (!proof.holds) process.exitCode = 1;
    const failed = reports.find(({ error }) => error !== undefined);
    if (failed) throw failed.error;
  });
}

type Part = AuditPart & { service: string };
type Report = { service: string; of: string; read(send: SendRequest): Promise<AuditPart[]> };

/** The audit parts of the services on the path of money, and the dead letters of every service. */
const REPORTS: Report[] = [
  {
    service: "accounts",
    of: "audit",
    read: async (send) => getCompletenessProof.output.parse(await send(getCompletenessProof, {})).parts,
  },
  {
    service: "ledger",
    of: "audit",
    read: async (send) => getLedgerProof.output.parse(await send(getLedgerProof, {})).parts,
  },
  {
    service: "payments",
    of: "audit",
    read: async (send) => listUnfinished.output.parse(await send(listUnfinished, {})).parts,
  },
  ...Object.entries(deadLetterRequests).map(([service, requests]) => ({
    service,
    of: "dead letters",
    read: (send: SendRequest) => deadLetters(send, requests),
  })),
];

type DeadLetterRequests = (typeof deadLetterRequests)[string];

async function deadLetters(send: SendRequest, { list }: DeadLetterRequests): Promise<AuditPart[]> {
  const { dead_letters } = list.output.parse(await send(list, {}));
  const differences = dead_letters.slice(0, SHOWN_MAX).map(({ consumer, natural_key, error }) => ({
    what: `failed on its data: ${error}`,
    where: `${consumer} ${natural_key}`,
  }));
  const compares = "no message was dead-lettered because of its data";
  return [{ ...emptyPart("dead letters"), compares, age_s: 0, holds: differences.length === 0, differences }];
}

async function readReport(
  send: SendRequest,
  { service, of, read }: Report,
): Promise<{ parts: Part[]; error?: unknown }> {
  try {
    return { parts: (await read(send)).map((part) => ({ ...part, service })) };
  } catch (error) {
    return { parts: [{ ...emptyPart(of), service, notes: ["the service does not answer"] }], error };
  }
}

const emptyPart = (name: string): AuditPart => ({
  name,
  compares: "",
  from: null,
  to: null,
  proven_at: null,
  age_s: null,
  max_age_s: 60,
  holds: false,
  differences: [],
  notes: [],
});

/** At most this many dead letters are listed. */
const SHOWN_MAX = 50;

function text(parts: Part[]): string {
  const faults = parts.flatMap((part) => {
    const fault = auditFault(part);
    return fault ? [`${part.service}: ${part.name} ${fault}.`] : [];
  });
  const verdict = faults.length === 0 ? ["All parts hold."] : ["Some parts fail, or are not proven.", ...faults];
  return [...verdict, "", ...parts.flatMap(lines)].join("\n");
}

function lines(part: Part): string[] {
  const { service, name, compares, from, to, age_s, differences, notes } = part;
  const state = auditFault(part) === undefined ? "holds " : "FAILS ";
  const span = from || to ? `, ${from ?? "…"} to ${to ?? "…"}` : "";
  const age = age_s === null ? "never proven" : `${duration(age_s)} old`;
  return [
    `${state} ${service}: ${name} (${age}${span})`,
    ...[compares, ...notes].filter(Boolean).map((note) => `         ${note}`),
    ...differences.map(({ what, where }) => `       ! ${where}: ${what}`),
  ];
}

const duration = (seconds: number): string => (seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`);
