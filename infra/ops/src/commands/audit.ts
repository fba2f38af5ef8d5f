import {
  type AuditPart,
  auditFault,
  deadLetterRequests,
  getCompletenessProof,
  getLedgerProof,
  listUnfinished,
} from "@collect/contracts";
import { Command } from "commander";
import { type Ask, asking } from "../ask.ts";
import { json } from "../options.ts";
import { type Output, print } from "../print.ts";

export function auditCommand(): Command {
  return new Command("audit")
    .description(
      "what the self-audit has proven of each part, how old that is, and what does not hold or is unfinished",
    )
    .addOption(json())
    .action((options: Output) => audit(options));
}

/** Asks for everything at once. A part that could not be asked for does not hold; ends with 1 unless every part does. */
function audit(options: Output): Promise<void> {
  return asking(async (ask) => {
    const reports = await Promise.all(REPORTS.map((report) => reported(ask, report)));
    const parts = reports.flatMap((report) => report.parts);
    const proof = { holds: parts.every((part) => auditFault(part) === undefined), parts };
    print(proof, options, () => words(proof.parts));
    if (!proof.holds) process.exitCode = 1;
    const failed = reports.find(({ error }) => error !== undefined);
    if (failed) throw failed.error;
  });
}

type Part = AuditPart & { service: string };
type Report = { service: string; of: string; read(ask: Ask): Promise<AuditPart[]> };

/** The services that money goes through: what they prove, and what they have set aside. */
const REPORTS: Report[] = [
  {
    service: "accounts",
    of: "what it proves",
    read: async (ask) => getCompletenessProof.output.parse(await ask(getCompletenessProof, {})).parts,
  },
  {
    service: "ledger",
    of: "what it proves",
    read: async (ask) => getLedgerProof.output.parse(await ask(getLedgerProof, {})).parts,
  },
  {
    service: "payments",
    of: "what it proves",
    read: async (ask) => listUnfinished.output.parse(await ask(listUnfinished, {})).parts,
  },
  ...["accounts", "ledger", "payments", "webhooks"].map((service) => ({
    service,
    of: "dead letters",
    read: (ask: Ask) => deadLetters(ask, service),
  })),
];

async function deadLetters(ask: Ask, service: string): Promise<AuditPart[]> {
  const list = deadLetterRequests[service]?.list;
  if (!list) throw new Error(`${service} has no dead letters to list`);
  const { dead_letters } = list.output.parse(await ask(list, {}));
  const differences = dead_letters.slice(0, SHOWN_MAX).map(({ consumer, natural_key, error }) => ({
    what: `failed on its data: ${error}`,
    where: `${consumer} ${natural_key}`,
  }));
  const compares = "no message was set aside because it failed on its data";
  return [{ ...emptyPart("dead letters"), compares, age_s: 0, holds: differences.length === 0, differences }];
}

async function reported(ask: Ask, { service, of, read }: Report): Promise<{ parts: Part[]; error?: unknown }> {
  try {
    return { parts: (await read(ask)).map((part) => ({ ...part, service })) };
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

/** So many dead letters are named. */
const SHOWN_MAX = 50;

function words(parts: Part[]): string {
  const faults = parts.flatMap((part) => {
    const fault = auditFault(part);
    return fault ? [`${part.service}: ${part.name} ${fault}.`] : [];
  });
  const verdict = faults.length === 0 ? ["Everything holds."] : ["Not everything holds, or is proven.", ...faults];
  return [...verdict, "", ...parts.flatMap(lines)].join("\n");
}

function lines(part: Part): string[] {
  const { service, name, compares, from, to, age_s, differences, notes } = part;
  const state = auditFault(part) === undefined ? "holds " : "FAILS ";
  const span = from || to ? `, ${from ?? "…"} to ${to ?? "…"}` : "";
  const age = age_s === null ? "never proven" : `${lasting(age_s)} old`;
  return [
    `${state} ${service}: ${name} (${age}${span})`,
    ...[compares, ...notes].filter(Boolean).map((note) => `         ${note}`),
    ...differences.map(({ what, where }) => `       ! ${where}: ${what}`),
  ];
}

const lasting = (seconds: number): string => (seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`);
