import { answer, type Bus, type Request } from "@collect/bus";
import { type MerchantScope, Problem, playScenario, type ReportResult } from "@collect/contracts";
import { type Pool, readTimeOf } from "@collect/database";
import { simulateReceiver } from "../adapters/webhooks.ts";
import { intakeIdOf, type ReportedTransfer } from "../domain/intake.ts";
import { isReversal, reversalIdsOf } from "../domain/reversal.ts";
import { assertPlayable, receiverOf, reportsOf } from "../domain/scenario.ts";
import { accountRetired, assertTestMode } from "../domain/test-mode.ts";
import { statusOfAccount } from "../store/customer-accounts.ts";
import { readTransfers } from "../store/inbound-transfers.ts";
import { spendTestVolume } from "../store/test-volume.ts";
import { type AwaitRecorded, PATH_WAIT_MS } from "../use-cases/await-recorded.ts";
import type { Intake } from "../use-cases/intake.ts";

type Deps = { pool: Pool; bus: Bus; intake: Intake; intakeKey: string; awaitRecorded: AwaitRecorded };

/**
 * Plays a fault of the bank, or of the merchant's server, with test transfers through the intake of the bank door. A run is known by
 * its fields: its transfers have the same ids each time, so a repeat, also of a run that was cut short, credits nothing twice.
 */
export function scenarioRequests({ pool, bus, intake, intakeKey, awaitRecorded }: Deps): Request[] {
  return [
    answer(playScenario, async ({ merchant, ...fields }, context) => {
      assertTestMode(merchant);
      const now = await readTimeOf(pool, merchant);
      assertPlayable(fields, now);
      await assertReceiving(pool, merchant, fields.account_number);
      const reports = reportsOf(merchant, fields, now).map((report) => ({ ...report, ...idsOf(intakeKey, report) }));
      const receiver = receiverOf(fields);
      const [first] = reports;
      // Before the transfer: its event must not be sent without it. Refused without a webhook URL, and then nothing is counted.
      if (receiver && first)
        await simulateReceiver(bus, { merchant: scopeOf(merchant), intake_id: first.intakeId, ...receiver }, context);
      await spendTestVolume(pool, merchant, totalOf(reports));
      const results = await reportAll({ intake, awaitRecorded }, reports);
      const rows = await readTransfers(pool, [...new Set(reports.map(({ creditId }) => creditId))]);
      return {
        name: fields.name,
        seed: fields.seed,
        account_number: fields.account_number,
        reports: results.map(({ intakeId: _, creditId, ...result }) => {
          const row = rows.get(creditId);
          if (!row) throw new Error(`transfer ${creditId} was accepted and is not there`);
          return { ...result, paid_at: row.paidAt, payer_name: row.payerName };
        }),
        mode: merchant.mode,
      };
    }),
  ];
}

/** Of the report, and of the transfer that it is about: a reversal is a report of its own. */
type Ids = { intakeId: string; creditId: string };
type Report = ReportedTransfer & Ids;
type Result = Ids & { amount: bigint; result: ReportResult; reference: string | null };

const LATE =
  "The transfers were accepted and will be credited, but this is taking longer than usual. Send the same call again: nothing is credited twice.";

/** One after the other, each once the event of the last is recorded: the events are numbered in the order of the reports. */
async function reportAll(
  { intake, awaitRecorded }: Pick<Deps, "intake" | "awaitRecorded">,
  reports: Report[],
): Promise<Result[]> {
  const until = performance.now() + PATH_WAIT_MS;
  const results: Result[] = [];
  for (const { intakeId, creditId, ...report } of reports) {
    const { status } = await intake.accept(report);
    const common = { intakeId, creditId, amount: report.amount };
    const known = results.find((earlier) => earlier.intakeId === intakeId);
    if (status === "quarantined") results.push({ ...common, result: status, reference: null });
    else if (known) results.push({ ...common, result: "duplicate", reference: known.reference });
    else {
      // In a repeat of the run it is a duplicate, too: what came of the run is the same.
      const withinMs = Math.max(0, until - performance.now());
      const { reference } = await awaitRecorded(intakeId, { withinMs, whenLate: LATE });
      results.push({ ...common, result: isReversal(report) ? "reversed" : "credited", reference });
    }
  }
  return results;
}

async function assertReceiving(pool: Pool, merchant: MerchantScope, accountNumber: string): Promise<void> {
  const status = await statusOfAccount(pool, merchant, accountNumber);
  if (status === undefined) throw new Problem("not_found", "You have no test account with this number.");
  if (status === "retired") throw accountRetired();
}

function idsOf(key: string, report: ReportedTransfer): Ids {
  if (!isReversal(report)) return { intakeId: intakeIdOf(key, report), creditId: intakeIdOf(key, report) };
  const { reversalId: intakeId, creditId } = reversalIdsOf(key, report);
  return { intakeId, creditId };
}

/** Of all transfers, each counted once. */
function totalOf(reports: Report[]): bigint {
  const credits = reports.filter((report) => !isReversal(report));
  const amounts = new Map(credits.toReversed().map(({ intakeId, amount }) => [intakeId, amount]));
  return [...amounts.values()].reduce((sum, amount) => sum + amount, 0n);
}

const scopeOf = ({ id, mode }: MerchantScope): MerchantScope => ({ id, mode });
