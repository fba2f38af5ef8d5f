import { until } from "@collect/testing";
import { expect } from "vitest";
import { aBankTransfer, reportTransfer } from "../stack/bank.ts";
import { client } from "../stack/client.ts";
import type { Stack } from "../stack.ts";
import { auditOf, differencesIn } from "./audit-parts.ts";

/** A stack whose audit is watched: what it is given to find, and whether it does. */
export function audited(stack: Stack) {
  /** A merchant with a customer, in live mode, to whom so many transfers of ₦100 have come. */
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

  /** The audit names this difference, and it did not before. */
  async function untilFound(part: string, ...named: string[]): Promise<void> {
    await until(
      `${part} names ${named.join(" and ")}`,
      async () =>
        (await differencesIn(stack)).some(
          (one) => one.startsWith(`${part}: `) && named.every((it) => one.includes(it)),
        ),
      60_000,
    );
  }

  /** The audit went round since, and has nothing to say of this. */
  async function untilFoundNothing(named: string): Promise<void> {
    const { parts } = await auditOf(stack);
    await until(
      "the audit goes round",
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

  /** As the owner of a database, with its triggers off. */
  async function tamper(service: "ledger" | "accounts", tables: string[], ...statements: string[]): Promise<void> {
    const each = (what: string) => tables.map((table) => `alter table ${table} ${what} trigger user`);
    await stack.database(service).query([...each("disable"), ...statements, ...each("enable")].join("; "));
  }

  return { aShop, untilFound, untilFoundNothing, tamper };
}

export const find = <Named extends { name: string }>(parts: Named[], name: string) =>
  parts.find((part) => part.name === name);
