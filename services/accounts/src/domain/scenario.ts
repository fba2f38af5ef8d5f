import { createHash } from "node:crypto";
import { BANKS, nuban, TEST_BANK } from "@collect/bank";
import {
  type Input,
  instantOf,
  invalidFields,
  type MerchantScope,
  type playScenario,
  RECEIVER_SCENARIOS,
  type ReceiverScenario,
} from "@collect/contracts";
import { formatNaira, PAYMENT_MAX_KOBO } from "@collect/money";
import type { ReportedTransfer } from "./intake.ts";
import { faultsOfPaidAt } from "./test-transfers.ts";

export type ScenarioFields = Omit<Input<typeof playScenario>, "merchant">;

/** What the merchant's server does with the first attempts, if that is the scenario. */
export type SimulatedReceiver = { response: ReceiverScenario; times: number };

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Throws for fields that the scenario does not have, and for times and amounts that no transfer can have. */
export function assertPlayable({ name, amount, paid_at, times }: ScenarioFields, now: Date): void {
  const errors = paid_at === undefined ? [] : faultsOfPaidAt(paid_at, { param: "paid_at", now });
  if (times !== undefined && !isReceiverScenario(name))
    errors.push({ param: "times", code: "not_allowed", message: `is not allowed with ${name}` });
  if (amount !== undefined && amount > PAYMENT_MAX_KOBO)
    errors.push({ param: "amount", code: "too_big", message: `must be at most ${formatNaira(PAYMENT_MAX_KOBO)}` });
  if (errors.length > 0) throw invalidFields(errors);
}

/**
 * What the bank reports, in the order in which it does. Every transfer has a bank's id derived from the merchant and all fields of
 * the run, so that a repeat of the run repeats the same transfers. `now` matters only where the fields say no time.
 */
export function reportsOf(merchant: MerchantScope, fields: ScenarioFields, now: Date): ReportedTransfer[] {
  const transfer = (position: number, paidAt: Date | null): ReportedTransfer => ({
    bank: TEST_BANK.code,
    mode: "test",
    bankTransferId: `${merchant.id}:scenario:${runOf(fields)}:${position}`,
    type: "credit",
    accountNumber: fields.account_number,
    amount: fields.amount ?? seededAmount(fields, position),
    currency: "NGN",
    payer: seededPayer(fields, position),
    narration: null,
    paidAt: paidAt && instantOf(paidAt),
  });
  const given = fields.paid_at === undefined ? null : new Date(fields.paid_at);
  const before = (ms: number) => new Date((given ?? now).getTime() - ms);
  const first = transfer(1, given);
  switch (fields.name) {
    case "reported_twice":
      return [first, first];
    case "reported_late":
      return [transfer(1, given ?? before(DAY_MS))];
    case "reported_out_of_order":
      return [transfer(3, before(0)), transfer(2, before(MINUTE_MS)), transfer(1, before(2 * MINUTE_MS))];
    case "reported_with_another_amount":
      return [first, { ...first, amount: first.amount + 100n }];
    case "reported_then_reversed":
      return [first, { ...first, ...takingBack(first) }];
    case "receiver_fails":
    case "receiver_times_out":
    case "receiver_redirects":
    case "receiver_resets_connection":
    case "response_lost":
      return [first];
    default:
      return fields.name satisfies never;
  }
}

const takingBack = ({ bankTransferId }: ReportedTransfer) => ({
  ...{ type: "reversal", bankTransferId: `${bankTransferId}:reversed`, reverses: bankTransferId },
});

export function receiverOf({ name, times = 1 }: ScenarioFields): SimulatedReceiver | undefined {
  return isReceiverScenario(name) ? { response: name, times } : undefined;
}

const isReceiverScenario = (name: ScenarioFields["name"]): name is ReceiverScenario =>
  RECEIVER_SCENARIOS.some((one) => one === name);

/** Identifies the run: all fields, with the meaning that they have when they are not given. */
function runOf({ name, seed, account_number, amount, paid_at, times = 1 }: ScenarioFields): string {
  const paidAt = paid_at === undefined ? null : new Date(paid_at).toISOString();
  return digestOf(name, seed, account_number, amount?.toString() ?? null, paidAt, times).toString("hex", 0, 16);
}

/** Between ₦1,000 and ₦100,000, the same for every merchant and account. It must not change: a repeat would contradict its run. */
function seededAmount({ name, seed }: ScenarioFields, position: number): bigint {
  return 100_000n + (digestOf(name, seed, position, "amount").readBigUInt64BE() % 9_900_001n);
}

function seededPayer({ name, seed }: ScenarioFields, position: number): ReportedTransfer["payer"] {
  const digest = digestOf(name, seed, position, "payer");
  const pick = <Item>(items: readonly Item[], at: number) => items[digest.readUInt16BE(at) % items.length];
  const bank = pick(PAYER_BANKS, 4) ?? TEST_BANK;
  const serial = (digest.readUInt32BE(6) % 1_000_000_000).toString().padStart(9, "0");
  return {
    name: `${pick(FIRST_NAMES, 0)} ${pick(LAST_NAMES, 2)}`,
    accountNumber: nuban({ bankCode: bank.code, serial }),
    bankName: bank.name,
  };
}

const PAYER_BANKS = BANKS.filter(({ type }) => type === "deposit_money_bank");
const FIRST_NAMES = ["Adaeze", "Bola", "Chidi", "Dayo", "Emeka", "Funke", "Halima", "Ibrahim", "Ngozi", "Tunde"];
const LAST_NAMES = ["Adebayo", "Bello", "Chukwu", "Danjuma", "Eze", "Lawal", "Musa", "Nwosu", "Okafor", "Yusuf"];

const digestOf = (...parts: (string | number | null)[]): Buffer =>
  createHash("sha256").update(JSON.stringify(parts)).digest();
