import { shiftedClock } from "../stack/clock.ts";
import { addReplicas, type Fault } from "./alert-world.ts";

/** What has come to a stand, or piles up. */
export const BACKLOG_FAULTS: Fault[] = [
  {
    name: "the self-audit may not write what it has proved, as if for minutes",
    alerts: ["ProofTooOld"],
    async inject({ stack }) {
      const ledger = stack.database("ledger");
      await ledger.query("revoke update on audit_progress from collect_ledger");
      await ledger.query("update audit_progress set recent_at = recent_at - interval '3 minutes'");
      return () => ledger.query("grant update on audit_progress to collect_ledger");
    },
  },
  {
    name: "the last pass over the settlements was 20 minutes ago by the clock of the ledger",
    alerts: ["SettlementsStandStill"],
    inject: (world) => addReplicas(world, "ledger", { env: shiftedClock(-20 * 60_000), count: 2, alone: true }),
  },
  {
    name: "new replicas of the ledger may not read when merchants are settled",
    alerts: ["SettlementsUnknown"],
    async inject(world) {
      const ledger = world.stack.database("ledger");
      await ledger.query("revoke select on settlement_schedules from collect_ledger");
      const end = await addReplicas(world, "ledger", { count: 2, alone: true });
      return async () => {
        await ledger.query("grant select on settlement_schedules to collect_ledger");
        await end();
      };
    },
  },
  {
    name: "10,000 webhooks wait for tomorrow",
    alerts: ["DeliveriesWait"],
    async inject({ stack }) {
      const webhooks = stack.database("webhooks");
      await webhooks.query(
        `insert into deliveries (merchant_id, mode, sequence, url, status, next_attempt_at, kind)
         select merchant_id, mode, sequence, url || '#waits-' || n, 'pending', now() + interval '1 day', kind
         from (select * from deliveries where mode = 'live' limit 1) as delivery, generate_series(1, 10000) as n`,
      );
      return () => webhooks.query("delete from deliveries where url like '%#waits-%'");
    },
  },
];
