import { exportAuditLog, exportAuditLogs, verifyAuditLog, type WireResult } from "@collect/contracts";
import { Command, Option } from "commander";
import { type SendRequest, withBus } from "../bus.ts";
import { json } from "../options.ts";
import { type Output, print } from "../print.ts";

/** `audit-log …`: who did what. (`audit` is about the money.) */
export function auditLogCommand(): Command {
  const command = new Command("audit-log").description("the log of what persons and keys did");
  command
    .command("verify")
    .description("compute the hash chains again; exits with 1 if one was changed")
    .option("--merchant <merchant>", "only this merchant's chain")
    .option("--head <head>", "a head printed or logged earlier, which must still be in the merchant's chain")
    .addOption(json())
    .action((options: VerifyOptions) => withBus((send) => verify(send, options)));
  command
    .command("export")
    .description(
      "print the entries of a merchant as JSON lines, with their hashes; without one, those about no merchant",
    )
    .addOption(new Option("--merchant <merchant>", "the merchant's id").conflicts("allMerchants"))
    .option("--all-merchants", "those about every merchant and about none, by time")
    .requiredOption("--from <time>", "such as 2026-11-01T00:00:00Z")
    .requiredOption("--to <time>", "the first instant that is not exported")
    .action((options: ExportOptions) =>
      withBus((send) => (options.allMerchants ? exportAll(send, options) : exportEntries(send, options))),
    );
  return command;
}

type VerifyOptions = Output & { merchant?: string; head?: string };
type ExportOptions = { merchant?: string; allMerchants?: true; from: string; to: string };
type Chain = WireResult<typeof verifyAuditLog>["chains"][number];

async function verify(send: SendRequest, { merchant, head, json }: VerifyOptions): Promise<void> {
  const chains: Chain[] = [];
  for (let after: string | null = null; ; ) {
    const page: WireResult<typeof verifyAuditLog> = await send(verifyAuditLog, { chain: merchant, head, after });
    chains.push(...page.chains);
    if (page.next === null) break;
    after = page.next;
  }
  const holds = chains.every(({ fault }) => fault === null);
  print({ holds, chains }, { json }, () =>
    [holds ? "Every chain holds." : "A chain was changed.", ...chains.map(line)].join("\n"),
  );
  if (!holds) process.exitCode = 1;
}

function line({ chain, entries, head, fault }: Chain): string {
  return `${fault ? `FAILS: ${fault}` : "holds"}  ${chain || "(no merchant)"}  ${entries} entries  ${head}`;
}

async function exportEntries(send: SendRequest, { merchant, from, to }: ExportOptions): Promise<void> {
  for (let after: string | null = "0"; after !== null; ) {
    const page: WireResult<typeof exportAuditLog> = await send(exportAuditLog, {
      ...{ merchant_id: merchant ?? null, from, to, after },
    });
    for (const entry of page.entries) console.log(JSON.stringify(entry));
    after = page.next;
  }
}

async function exportAll(send: SendRequest, { from, to }: ExportOptions): Promise<void> {
  let after: WireResult<typeof exportAuditLogs>["next"] = null;
  do {
    const page: WireResult<typeof exportAuditLogs> = await send(exportAuditLogs, { from, to, after });
    for (const entry of page.entries) console.log(JSON.stringify(entry));
    after = page.next;
  } while (after !== null);
}
