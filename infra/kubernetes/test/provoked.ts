import { SERVICES } from "@collect/contracts";

/** Series by name, with their values from minute to minute in promtool's notation: `5+60x90` begins at 5 and rises by 60. */
export type Series = Record<string, string>;

const constant = (value: number) => `${value}+0x90`;
const rising = (perMinute: number) => `0+${perMinute}x90`;
const NONE = "_x90";

const LEDGER_BATCH = 'collect_consumer_batch_duration_seconds_count{durable="ledger-x-live", outcome="ok"}';
const PENDING = 'collect_consumer_pending_messages{durable="ledger-x-live"}';
const TAKEN = 'collect_consumer_unacknowledged_messages{durable="ledger-x-live"}';
const OK = 'collect_bus_served_request_duration_seconds_count{service="payments", subject="a.b", outcome="ok"}';

/** One second: everything between the buckets around it takes that long. */
const slow = (metric: string, labels: string): Series => ({
  [`${metric}_bucket{${labels}, le="1"}`]: rising(0),
  [`${metric}_bucket{${labels}, le="5"}`]: rising(600),
  [`${metric}_bucket{${labels}, le="+Inf"}`]: rising(600),
});
const http = (service: string, status: string) =>
  `collect_http_request_duration_seconds_count{service="${service}", route="/a", status="${status}"}`;
const attempts = (outcome: string) =>
  `collect_webhook_attempt_duration_seconds_count{mode="live", outcome="${outcome}"}`;
const REPORTS = 'collect_bank_reports_total{partner="a", outcome="failed"}';
const ACCEPTED = 'collect_bank_reports_total{partner="a", outcome="accepted"}';
const REJECTED = 'collect_bank_reports_total{partner="a", outcome="rejected"}';
const SETTLED = 'collect_settled_unknown_transfers{partner="a"}';
const pooled = (state: string) => `collect_pooled_accounts{partner="a", state="${state}"}`;
const up = (service: string, number: number) =>
  `up{namespace="collect", service="${service}", pod="${service}-${number}"}`;
const HTTP = ["gateway", "accounts", "checkout", "dashboard"];

/** Of an instance of a database: one is the primary, the other its standby. */
const instance = (metric: string, number: number, label = "") =>
  `${metric}{namespace="collect", service="ledger-db", pod="ledger-db-${number}"${label}}`;
const ARCHIVED = instance("cnpg_pg_stat_archiver_last_archived_time", 1);
const NOT_ARCHIVED = instance("cnpg_pg_stat_archiver_last_failed_time", 1);
const BACKUP = instance("barman_cloud_cloudnative_pg_io_last_available_backup_timestamp", 1);

/** A deployment in which nothing is wrong. */
export const HEALTHY: Series = {
  ...Object.fromEntries(SERVICES.flatMap((name) => [0, 1].map((number) => [up(name, number), constant(1)]))),
  'collect_check_ok{service="ledger", pod="ledger-0", check="database"}': constant(1),
  'collect_measurement_ok{service="ledger", measurement="audit"}': constant(1),
  [PENDING]: constant(40),
  [TAKEN]: constant(256),
  [LEDGER_BATCH]: rising(60),
  'collect_consumer_batch_retries_total{durable="ledger-x-live"}': rising(0),
  'collect_dead_letters{durable="ledger-x-live"}': constant(0),
  [OK]: rising(600),
  'collect_recovery_seconds{service="ledger", pod="ledger-0", step="collections"}': constant(590),
  'collect_database_callers_waiting{service="ledger", pool="path.live"}': "0 3 ".repeat(45).trim(),
  'nodejs_eventloop_lag_p99_seconds{service="ledger", pod="ledger-0"}': constant(0.02),
  ...Object.fromEntries(HTTP.map((name) => [http(name, "2xx"), rising(600)])),
  'collect_intake_oldest_unfinished_seconds{mode="live", pod="accounts-0"}': constant(1),
  [ACCEPTED]: rising(600),
  // A stranger's, beside the partner's own.
  [REJECTED]: rising(1),
  'collect_bank_reports_total{partner="a", outcome="unreadable"}': constant(0),
  [REPORTS]: rising(0),
  [pooled("free")]: constant(20),
  [pooled("unanswered")]: constant(0),
  [SETTLED]: constant(0),
  'collect_ledger_audit_differences{part="recent"}': constant(0),
  'collect_ledger_audit_age_seconds{part="recent", pod="ledger-0"}': constant(5),
  'collect_ledger_audit_age_seconds{part="history", pod="ledger-0"}': constant(600),
  collect_movements_missing_at_bank: constant(0),
  // After a long weekend, on the day on which the bank sends its statements.
  'collect_statement_age_seconds{bank="a"}': constant(3.9 * 86_400),
  collect_statement_days_open: constant(6),
  'collect_settlements_due{mode="live"}': constant(0),
  'collect_settlements_complete_timestamp_seconds{mode="live"}': "0+60x90",
  'collect_payouts_oldest_unanswered_seconds{mode="live", pod="payments-0"}': constant(5),
  'collect_deliveries_waiting{mode="live"}': constant(30),
  [attempts("delivered")]: rising(600),
  [attempts("pending")]: rising(60),
  'collect_deliveries_held{mode="live"}': constant(0),
  ...Object.fromEntries([1, 2].map((number) => [instance("up", number), constant(1)])),
  // Archiving failed in the first minute, and goes on since.
  [ARCHIVED]: "0+60x90",
  [NOT_ARCHIVED]: constant(60),
  [instance("cnpg_collector_pg_wal_archive_status", 1, ', value="ready"')]: constant(2),
  [BACKUP]: constant(0),
  [instance("cnpg_pg_replication_lag", 2)]: constant(1),
  [instance("cnpg_pg_replication_in_recovery", 1)]: constant(0),
  [instance("cnpg_pg_replication_is_wal_receiver_up", 1)]: constant(0),
  [instance("cnpg_pg_replication_in_recovery", 2)]: constant(1),
  [instance("cnpg_pg_replication_is_wal_receiver_up", 2)]: constant(1),
};

/** No replica of the service is there to be asked. */
export const gone = (service: string): Series => ({ [up(service, 0)]: NONE, [up(service, 1)]: NONE });

/** What changes in a healthy deployment so that each alert fires, and no other. */
export const PROVOKED: Record<string, Series> = {
  ProcessDown: { [up("gateway", 2)]: constant(0) },
  TooFewReplicas: { [up("gateway", 1)]: NONE },
  ServiceGone: gone("checkout"),
  CheckFails: { 'collect_check_ok{service="ledger", pod="ledger-0", check="database"}': constant(0) },
  NotMeasured: { 'collect_measurement_ok{service="ledger", measurement="audit"}': constant(0) },
  ConsumerStandsStill: { [PENDING]: constant(0), [TAKEN]: constant(1), [LEDGER_BATCH]: constant(7) },
  ConsumerBehind: { [PENDING]: constant(10_001) },
  BatchesRetried: { 'collect_consumer_batch_retries_total{durable="ledger-x-live"}': rising(20) },
  DeadLetters: { 'collect_dead_letters{durable="ledger-x-live"}': constant(1) },
  RequestsFail: { [OK.replace('"ok"', '"failed"')]: rising(20) },
  RecoveryWaits: { 'collect_recovery_seconds{service="ledger", pod="ledger-0", step="collections"}': rising(60) },
  CallersWait: { 'collect_database_callers_waiting{service="ledger", pool="path.live"}': constant(1) },
  EventLoopBlocked: { 'nodejs_eventloop_lag_p99_seconds{service="ledger", pod="ledger-0"}': constant(0.7) },
  ApiFails: { [http("gateway", "5xx")]: rising(20) },
  ApiSlow: slow("collect_http_request_duration_seconds", 'service="gateway", route="/a"'),
  IntakeStalls: { 'collect_intake_oldest_unfinished_seconds{mode="live", pod="accounts-0"}': constant(130) },
  IntakeUnknown: { 'collect_intake_oldest_unfinished_seconds{mode="live", pod="accounts-0"}': NONE },
  BankDoorFails: { [http("accounts", "5xx")]: rising(20) },
  BankReportsFail: { [REPORTS]: rising(20) },
  BankReportsUnreadable: { 'collect_bank_reports_total{partner="a", outcome="unreadable"}': "0+0x80 1+0x9" },
  BankReportsRejected: { [ACCEPTED]: constant(600), [REJECTED]: rising(1) },
  PoolEmpty: { [pooled("free")]: constant(0) },
  OpeningsUnanswered: { [pooled("unanswered")]: constant(1) },
  SettledUnknown: { [SETTLED]: constant(1) },
  LedgerDiffers: { 'collect_ledger_audit_differences{part="recent"}': constant(1) },
  ProofTooOld: { 'collect_ledger_audit_age_seconds{part="history", pod="ledger-0"}': constant(90_000) },
  ProofUnknown: { 'collect_ledger_audit_age_seconds{part="recent", pod="ledger-0"}': NONE },
  SettlementsDue: { 'collect_settlements_due{mode="live"}': constant(1) },
  SettlementsStandStill: { 'collect_settlements_complete_timestamp_seconds{mode="live"}': constant(60) },
  SettlementsUnknown: { 'collect_settlements_complete_timestamp_seconds{mode="live"}': NONE },
  PayoutsUnanswered: { 'collect_payouts_oldest_unanswered_seconds{mode="live", pod="payments-0"}': constant(700) },
  PayoutPartnerMissing: { 'collect_payouts_merchants_without_partner{mode="live", pod="payments-0"}': constant(1) },
  PaymentsSlow: slow("collect_bus_served_request_duration_seconds", 'service="payments", subject="a.b"'),
  DeliveriesWait: { 'collect_deliveries_waiting{mode="live"}': constant(10_000) },
  DeliveriesFail: { [attempts("delivered")]: NONE },
  DeliveriesHeld: { 'collect_deliveries_held{mode="live"}': constant(1) },
  MoneyMissingAtBank: { collect_movements_missing_at_bank: constant(1) },
  StatementMissing: { 'collect_statement_age_seconds{bank="a"}': constant(4.1 * 86_400) },
  DaysNotClosed: { collect_statement_days_open: constant(7) },
  CheckoutFails: { [http("checkout", "5xx")]: rising(20) },
  CheckoutSlow: slow("collect_http_request_duration_seconds", 'service="checkout", route="/a"'),
  DashboardFails: { [http("dashboard", "5xx")]: rising(20) },
  LogNotArchived: { [ARCHIVED]: constant(30) },
  // The clock of the series begins at 0.
  BackupTooOld: { [BACKUP]: constant(-140_000) },
  StandbyBehind: { [instance("cnpg_pg_replication_is_wal_receiver_up", 2)]: constant(0) },
  DashboardSlow: slow("collect_http_request_duration_seconds", 'service="dashboard", route="/a"'),
};

/** The other way in which two alerts come about. */
export const LOG_WAITS: Series = {
  [instance("cnpg_collector_pg_wal_archive_status", 1, ', value="ready"')]: constant(40),
};
export const STANDBY_LAGS: Series = { [instance("cnpg_pg_replication_lag", 2)]: constant(90) };

/** One report of the bank that was answered with 5xx two minutes ago. It has repeated it since. */
export const ONE_REPORT_FAILED: Series = { [http("accounts", "5xx")]: "0+0x87 1+0x2" };
