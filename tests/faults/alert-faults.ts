import { setTimeout as sleep } from "node:timers/promises";
import { deadLetterRequests } from "@collect/contracts";
import { freePort } from "@collect/servers";
import { until } from "@collect/testing";
import { client } from "../stack/client.ts";
import { deliverNow } from "../stack/deliveries.ts";
import { lockTable, refuseConnections } from "../stack/unavailable.ts";
import { BACKLOG_FAULTS } from "./alert-backlogs.ts";
import { BANK_FAULTS } from "./alert-banks.ts";
import { allRecorded, apiOf, balanceOf, changeEntries, type Fault, replicaOf, report } from "./alert-world.ts";
import { audited } from "./audited.ts";
import { ended, repeatedly } from "./repeatedly.ts";

/** In this order, on one stack. */
export const FAULTS: Fault[] = [
  {
    name: "one of two replicas is killed",
    alerts: ["ProcessDown", "TooFewReplicas"],
    isUsual: true,
    async inject({ stack }) {
      const replica = replicaOf(stack, "gateway", 1);
      await replica.kill9();
      return () => replica.restart();
    },
  },
  {
    name: "all replicas of a service are deleted",
    alerts: ["ServiceGone"],
    async inject({ stack, prometheus, pods }) {
      const { replicas } = stack.service("dashboard");
      await prometheus.discover(pods.filter(({ service }) => service !== "dashboard"));
      await Promise.all(replicas.map((replica) => replica.kill9()));
      return async () => {
        await Promise.all(replicas.map((replica) => replica.restart()));
        await prometheus.discover(pods);
      };
    },
  },
  {
    name: "a process is stopped for most of every second",
    alerts: ["EventLoopBlocked"],
    async inject({ stack }) {
      const pid = replicaOf(stack, "webhooks", 1).pid();
      return repeatedly(async () => {
        process.kill(pid, "SIGSTOP");
        await sleep(750);
        process.kill(pid, "SIGCONT");
        await sleep(150);
      });
    },
  },
  {
    name: "a fact violates a constraint of payments",
    alerts: ["DeadLetters"],
    isUsual: true,
    async inject(world) {
      const payments = world.stack.database("payments");
      await payments.query("alter table collections add constraint not_this_amount check (amount <> 33300) not valid");
      await report(world, 333);
      return async () => {
        await payments.query("alter table collections drop constraint not_this_amount");
        const { retry } = deadLetterRequests.payments ?? {};
        if (retry) await world.stack.bus.request(retry, {});
      };
    },
  },
  {
    name: "an entry of the ledger is changed in its database",
    alerts: ["LedgerDiffers"],
    isUsual: true,
    async inject(world) {
      await changeEntries(world, "amount = amount - 1");
      return () => changeEntries(world, "amount = amount + 1");
    },
  },
  {
    name: "a settlement violates a constraint of the ledger, as if money had come days ago",
    alerts: ["SettlementsDue"],
    async inject(world) {
      const { stack, prometheus, pods } = world;
      const ledger = stack.database("ledger");
      await changeEntries(world, "recorded_at = recorded_at - interval '3 days'");
      await ledger.query("alter table settlements add constraint none check (false) not valid");
      // A process makes its first pass when it starts.
      const port = await freePort();
      const replica = await stack.service("ledger").addReplica({ env: { INTERNAL_PORT: String(port) } });
      await prometheus.discover([...pods, { service: "ledger", pod: "ledger-2", port }]);
      return async () => {
        await ledger.query("alter table settlements drop constraint none");
        await replica.restart();
      };
    },
  },
  {
    name: "a merchant's server answers 500",
    alerts: ["DeliveriesFail", "DeliveriesHeld"],
    isUsual: true,
    async inject(world) {
      world.stack.receiver.behave((response) => void response.writeHead(500).end());
      const stop = repeatedly(() => report(world, 100));
      return async () => {
        await stop();
        world.stack.receiver.behave((response) => void response.end("ok"));
        const webhooks = world.stack.database("webhooks");
        await until("everything is delivered", async () => {
          await deliverNow(world.stack);
          return (await webhooks.query("select from deliveries where status = 'pending'")).rowCount === 0;
        });
      };
    },
  },
  ...BANK_FAULTS,
  ...BACKLOG_FAULTS,
  {
    name: "the sessions of payments are locked while merchants create some",
    alerts: ["ApiFails", "ApiSlow", "CallersWait", "PaymentsSlow", "RequestsFail"],
    async inject(world) {
      const release = await lockTable(world.stack.adminUrl, "payments", "sessions");
      return ended(
        repeatedly(() => apiOf(world).post("/payments", { amount: 100 }), 12),
        release,
      );
    },
  },
  {
    name: "the checkout's copies of sessions are locked while payers look",
    alerts: ["CheckoutFails", "CheckoutSlow"],
    async inject(world) {
      const { stack } = world;
      const { body } = await apiOf(world).post("/payments", { amount: 100 });
      const release = await lockTable(stack.adminUrl, "checkout", "session_views");
      return ended(
        repeatedly(() => client(stack.checkoutUrl).get(`/checkout/${body.reference}`)),
        release,
      );
    },
  },
  {
    name: "the sessions of the dashboard are locked for seconds at a time",
    alerts: ["DashboardSlow"],
    async inject({ stack, customer, owner }) {
      const calls = repeatedly(() => owner.call("GET", balanceOf(customer)));
      const locks = repeatedly(async () => {
        const release = await lockTable(stack.adminUrl, "dashboard", "sessions");
        await sleep(2_400);
        await release();
      });
      return ended(locks, calls);
    },
  },
  {
    name: "the database of the ledger is away, as if for minutes, while money comes in and merchants read balances",
    alerts: [
      ...["ApiFails", "BatchesRetried", "CheckFails", "ConsumerStandsStill", "IntakeStalls", "NotMeasured"],
      ...["ProofUnknown", "RequestsFail"],
    ],
    async inject(world) {
      const { stack } = world;
      const back = await refuseConnections(stack.adminUrl, "ledger");
      for (let n = 0; n < 5; n++) await report(world, 100);
      const setBack = (interval: string) =>
        audited(stack).tamper(
          "accounts",
          ["inbound_transfers"],
          `update inbound_transfers set received_at = received_at + interval '${interval}' where completed_at is null`,
        );
      await setBack("-3 minutes");
      return ended(
        repeatedly(() => apiOf(world).get("/balance")),
        () =>
          setBack("3 minutes")
            .then(back)
            .then(() => allRecorded(world)),
      );
    },
  },
  {
    name: "the database of accounts is away while the bank reports and merchants read customers",
    alerts: "ApiFails BankDoorFails BankReportsFail CheckFails IntakeUnknown NotMeasured RequestsFail".split(" "),
    isUsual: true,
    async inject(world) {
      const back = await refuseConnections(world.stack.adminUrl, "accounts");
      const calls = repeatedly(() => Promise.all([report(world, 100), apiOf(world).get("/customer_accounts/cust_42")]));
      return ended(calls, back);
    },
  },
  {
    name: "the broker is away while merchants, payers and users call",
    alerts: ["ApiFails", "CheckFails", "CheckoutFails", "DashboardFails", "NotMeasured"],
    async inject(world) {
      const { stack, customer, owner } = world;
      process.kill(stack.natsPid(), "SIGKILL");
      const calls = repeatedly(() =>
        Promise.all([
          apiOf(world).get("/balance"),
          client(stack.checkoutUrl, customer.merchant.keys.pk_live).post("/checkout", { amount: 100 }),
          owner.call("GET", balanceOf(customer)),
        ]),
      );
      return ended(calls, () => stack.restartNats());
    },
  },
];
