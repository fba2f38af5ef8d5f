import { until } from "@collect/testing";
import { expect } from "vitest";
import { aBankTransfer, reportTransfer } from "../stack/bank.ts";
import { client } from "../stack/client.ts";
import type { Stack } from "../stack.ts";
import { auditOf, differencesIn } from "./audit-parts.ts";

/** Plants inconsistencies in a stack, and waits for its audit to report them. */
export function audited(stack: Stack) {
  /** A live merchant with a customer who has sent this many transfers of ₦100. */
  async function aShop({ transfers = 1 } = {}) {
    const merchant = await stack.createMerchant({ rateLimits: { reads: 1_000_000 } });
    const api = client(stack.baseUrl, merchant.keys.sk_live);
    const { body } = await api.post("/customer_accounts", { customer_reference: "c", customer_name: "Ada" });
    const accountNumber = String(body.account_number);
    for (let n = 0; n < transfers; n++)
      await reportTransfer(stack.bankDoor, aBankTransfer({ account_number: accountNumber, amount: 100 }));
    await merchant.untilReceived("live", transfers);
    const { rows } = await stack
      .database("accounts")
      .query<{ intake_id: string }>("select intake_id from inbound_transfers where merchant_id = $1", [merchant.id]);
    const [intakeId = ""] = rows.map(({ intake_id }) => intake_id);
    return { id: merchant.id, api, accountNumber, intakeId };
  }

  /** Waits until the audit reports this difference. */
  async function untilReported(part: string, ...named: string[]): Promise<void> {
    await until(
      `${part} names ${named.join(" and ")}`,
      async () =>
        (await differencesIn(stack)).some(
          (one) => one.startsWith(`${part}: `) && named.every((it) => one.includes(it)),
        ),
      60_000,
    );
  }

  /** Waits for a round of the audit, and checks that it reports nothing about this. */
  async function untilNothingReported(named: string): Promise<void> {
    const { parts } = await auditOf(stack);
    await until(
      "a round of the audit is complete",
      async () => {
        const now = (await auditOf(stack)).parts;
        return ["history", "sessions", "money out"].every(
          (name) => find(now, name)?.proven_at !== find(parts, name)?.proven_at,
        );
      },
      60_000,
    );
    expect((await differencesIn(stack)).filter((one) => one.includes(named))).toEqual([]);
  }

  /** Changes rows as the owner of a database, with its triggers disabled. */
  async function tamper(service: "ledger" | "accounts", tables: string[], ...statements: string[]): Promise<void> {
    const each = (what: string) => tables.map((table) => `alter table ${table} ${what} trigger user`);
    await stack.database(service).query([...each("disable"), ...statements, ...each("enable")].join("; "));
  }

  return { aShop, untilReported, untilNothingReported, tamper };
}

export const find = <Named extends { name: string }>(parts: Named[], name: string) =>
  parts.find((part) => part.name === name);
