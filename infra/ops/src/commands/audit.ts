import { getCompletenessProof, getLedgerProof, listUnfinished, type Reply } from "@collect/contracts";
import { Command } from "commander";
import { asking } from "../ask.ts";
import { json } from "../options.ts";
import { type Output, print } from "../print.ts";

export function auditCommand(): Command {
  return new Command("audit")
    .description("the last proof of the self-audit: sums, chains, completeness, and what is unfinished since when")
    .addOption(json())
    .action((options: Output) => audit(options));
}

/** The proofs of three services as one. What a service that does not answer would say is null, and the command ends with 1. */
function audit(options: Output): Promise<void> {
  return asking(async (ask) => {
    const [ledger, completeness, payments] = await Promise.allSettled([
      ask(getLedgerProof, {}),
      ask(getCompletenessProof, {}),
      ask(listUnfinished, {}),
    ]);
    const proof = {
      holds: holds(answerOf(ledger), answerOf(completeness)),
      ledger: answerOf(ledger),
      completeness: answerOf(completeness),
      outbound: answerOf(payments),
    };
    print(proof, options, () => words(proof));
    const failed = [ledger, completeness, payments].find((each) => each.status === "rejected");
    if (failed) throw failed.reason;
    if (!proof.holds) process.exitCode = 1;
  });
}

type Proof = {
  holds: boolean;
  ledger: Reply<typeof getLedgerProof> | null;
  completeness: Reply<typeof getCompletenessProof> | null;
  outbound: Reply<typeof listUnfinished> | null;
};

const answerOf = <Value>(settled: PromiseSettledResult<Value>): Value | null =>
  settled.status === "fulfilled" ? settled.value : null;

/** Proven at all, every sum and chain right, and everything that came in has arrived everywhere. */
function holds(ledger: Proof["ledger"], completeness: Proof["completeness"]): boolean {
  const balanced = ledger?.proven_at && ledger.holds;
  const complete = completeness?.proven_at && completeness.differences.length === 0;
  return Boolean(balanced && complete);
}

function words({ holds, ledger, completeness, outbound }: Proof): string {
  const lines = [holds ? "Everything holds." : "Not everything holds, or not everything is proven yet."];
  if (ledger) {
    lines.push(`ledger        ${ledger.holds ? "balanced" : "BROKEN"}, proven ${ledger.proven_at ?? "never"}`);
    lines.push(
      ...ledger.modes.map((mode) => `  ${mode.mode}: ${mode.ledger_accounts} accounts sum to ${mode.sum} kobo`),
    );
    lines.push(...ledger.differences.map(({ what, where }) => `  ${where}: ${what}`));
  }
  if (completeness) {
    const { from, to, minutes, compared, differences, unfinished, proven_at } = completeness;
    lines.push(
      `completeness  ${minutes} minutes compared, money came in ${compared.length} of them (${from ?? "–"} to ${to ?? "–"}), proven ${proven_at ?? "never"}`,
    );
    lines.push(...differences.map((minute) => `  ${minute.mode} ${minute.kind} ${minute.minute} differs`));
    lines.push(
      ...unfinished.map((each) => `  ${each.mode}: ${each.count} unfinished since ${each.oldest_received_at}`),
    );
  }
  if (outbound) {
    const { transfers, sessions } = outbound;
    lines.push(
      ...transfers.map(
        (each) => `transfers     ${each.mode}: ${each.count} ${each.step} since ${each.oldest_created_at}`,
      ),
    );
    lines.push(
      ...sessions.map(
        (each) => `sessions      ${each.mode}: ${each.count} past their time since ${each.oldest_expires_at}`,
      ),
    );
  }
  return lines.join("\n");
}
