import { settleOpening } from "@collect/contracts";
import { until } from "@collect/testing";
import { aBankTransfer, reportTransfer } from "../stack/bank.ts";
import { client } from "../stack/client.ts";
import { partnersOf } from "../stack/partners.ts";
import { addReplicas, type Fault, type World } from "./alert-world.ts";
import { repeatedly } from "./repeatedly.ts";
import { makeStepsDue, openShop } from "./shop.ts";

/** What banks do, and do not. */
export const BANK_FAULTS: Fault[] = [
  {
    name: "the bank signs reports whose amount is no number",
    alerts: ["BankReportsUnreadable"],
    isUsual: true,
    inject: async ({ stack, customer }) =>
      repeatedly(() =>
        reportTransfer(stack.bankDoor, { ...transferTo(customer.accountNumber), amount: "one hundred" }),
      ),
  },
  {
    name: "the bank signs with another secret than ours",
    alerts: ["BankReportsRejected"],
    inject: async ({ stack, customer }) =>
      repeatedly(
        () =>
          reportTransfer({ ...stack.bankDoor, secret: "the secret of last year" }, transferTo(customer.accountNumber)),
        4,
      ),
  },
  {
    name: "Providus refuses our credentials while no account of it is ready",
    alerts: ["PoolEmpty"],
    inject: (world) =>
      addReplicas(world, "accounts", { env: atProvidus(world, { PROVIDUS_CLIENT_SECRET: "another secret" }) }),
  },
  {
    name: "Providus cuts the connection while it opens an account, as if minutes ago",
    alerts: ["OpeningsUnanswered", "PoolEmpty"],
    async inject(world) {
      const { stack } = world;
      const providus = client(`${stack.bankSimulatorUrl}/providus/control`);
      await providus.post("/behaviour", { operation: "create", behaviour: "cut", times: 1 });
      const accounts = stack.database("accounts");
      // The replica of an earlier fault has died with it.
      await accounts.query("delete from pool_leases");
      const end = await addReplicas(world, "accounts", { env: atProvidus(world) });
      const lost = await until("an opening has no answer", async () => {
        const { rows } = await accounts.query<{ id: string }>(
          `update pooled_accounts set created_at = created_at - interval '3 minutes'
           where state = 'opening' and created_at > now() - interval '2 minutes' returning id`,
        );
        return rows[0]?.id;
      });
      return async () => {
        await stack.bus.request(settleOpening, { id: lost, account_number: null });
        await end();
      };
    },
  },
  {
    name: "Monnify says nothing of a payment that it settled, as if for hours",
    alerts: ["SettledUnknown"],
    async inject({ stack }) {
      const accounts = stack.database("accounts");
      await accounts.query(`
        insert into settled_transfers (intake_id, bank, settlement_id, noticed_at, bank_transfer_id, asks, ask_at)
        values ('int_unknown', 'monnify', 'S', now() - interval '2 hours', 'MNFY|unknown', 5, now() + interval '1 hour')`);
      return async () => void (await accounts.query("delete from settled_transfers where intake_id = 'int_unknown'"));
    },
  },
  {
    name: "a merchant's payouts are to be sent by a partner that payments has no settings of",
    alerts: ["PayoutPartnerMissing"],
    async inject({ stack }) {
      const payments = stack.database("payments");
      await payments.query(
        "insert into payout_partner_choices (merchant_id, partner, reason) values ('mer_moved', 'gone', 'Moved')",
      );
      return async () => void (await payments.query("delete from payout_partner_choices where partner = 'gone'"));
    },
  },
  {
    name: "the bank does not say what became of a payout, as if for minutes",
    alerts: ["PayoutsUnanswered"],
    async inject({ stack }) {
      const bank = client(`${stack.bankSimulatorUrl}/control`);
      const shop = await openShop(stack);
      await bank.post("/payouts", { begin: "pending", times: 1 });
      const reference = await shop.send(1);
      const payments = stack.database("payments");
      const setBack = (interval: string) =>
        payments.query(
          `update transfers set sent_at = sent_at + interval '${interval}'
           where reference = $1 and step = 'sending' and attempts > 0`,
          [reference],
        );
      await until("the bank has it", async () => (await setBack("-11 minutes")).rowCount === 1);
      return async () => {
        await bank.post(`/payouts/${reference}`, { status: "success" });
        await until("it has ended", async () => {
          await makeStepsDue(stack);
          return (await shop.api.get(`/transfers/${reference}`)).body.status === "success";
        });
      };
    },
  },
];

const transferTo = (account_number: string) => aBankTransfer({ account_number, amount: 100 });

/** The settings of accounts with Providus as its partner, whose pool is empty. */
const atProvidus = ({ stack }: World, given: Record<string, string> = {}) => ({
  ...{ ...partnersOf(stack).accounts, ...given, BANK_PARTNER: "providus" },
});
