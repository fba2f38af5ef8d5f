import type { ReceivedMinute, ReceivedRow } from "@collect/contracts";
import { describe, expect, test } from "vitest";
import { type Compared, countsByMinute, differencesOf, differingTransfers, type IntakeRow } from "./completeness.ts";

const MINUTE = "2026-11-21T09:30:00.000+00:00";
const held = (given: Partial<ReceivedMinute> = {}): ReceivedMinute => ({
  mode: "live",
  kind: "collection",
  minute: MINUTE,
  count: 2,
  sum: 300n,
  ...given,
});
const everywhere = (minutes: ReceivedMinute[]) => ({
  accounts: minutes,
  ledger: minutes,
  payments: minutes,
  webhooks: minutes,
});

describe("a minute", () => {
  const differing = (minutes: Parameters<typeof countsByMinute>[0]) =>
    countsByMinute(minutes)
      .map((minute) => ({ ...minute, what: differencesOf(minute) }))
      .filter(({ what }) => what.length > 0);

  test("with equal records in every service does not differ, however a service formats the time", () => {
    const minutes = [held(), held({ mode: "test", count: 1, sum: 5n })];
    const otherwise = minutes.map((minute) => ({ ...minute, minute: "2026-11-21T10:30:00+01:00" }));
    expect(differing({ ...everywhere(minutes), ledger: otherwise })).toEqual([]);
    expect(differing(everywhere([]))).toEqual([]);
  });

  test.each<[Compared, ReceivedMinute[], string[]]>([
    ["accounts", [], ["count", "sum"]],
    ["ledger", [held({ count: 1 })], ["count"]],
    ["payments", [held({ sum: 299n })], ["sum"]],
    ["webhooks", [held(), held({ mode: "test" })], ["count", "sum"]],
  ])("can differ in %s alone, in count, in sum or in what is not there", (service, minutes, what) => {
    const found = differing({ ...everywhere([held()]), [service]: minutes });
    expect(found).toMatchObject([{ what }]);
    expect(Date.parse(found[0]?.minute ?? "")).toBe(Date.parse(MINUTE));
  });

  test("differs in a digest on which two services disagree", () => {
    const alike = {
      ...everywhere([held({ digests: { intake: "1", fee: "2" } })]),
      accounts: [held({ digests: { intake: "1" } })],
    };
    expect(differing(alike)).toEqual([]);
    const webhooks = [held({ digests: { intake: "1", fee: "3" } })];
    expect(differing({ ...alike, webhooks })).toMatchObject([{ what: ["fee"] }]);
  });

  test("without digests, as returned and stored by an earlier release, is compared by count and sum", () => {
    const body = held({ digests: { intake: "1", body: "2" } });
    expect(differing({ ...everywhere([held()]), webhooks: [body] })).toEqual([]);
  });

  test("of money in suspense concerns only accounts and the ledger", () => {
    const suspense = [held({ kind: "suspense" })];
    const none = { payments: [], webhooks: [] };
    expect(differing({ accounts: suspense, ledger: suspense, ...none })).toEqual([]);
    expect(differing({ accounts: suspense, ledger: [], ...none })).toMatchObject([
      { kind: "suspense", what: ["count", "sum"], held: { payments: null, webhooks: null } },
    ]);
  });
});

describe("a transfer", () => {
  const row = (given: Partial<ReceivedRow> = {}): ReceivedRow => ({
    mode: "live",
    kind: "collection",
    intake_id: "int_1",
    merchant_id: "mer_1",
    amount: 100n,
    digests: { intake: "1", fee: "2" },
    ...given,
  });
  const taken = (given: Partial<IntakeRow> = {}): IntakeRow => ({
    ...row(),
    digests: { intake: "1" },
    is_finished: true,
    ...given,
  });
  const alike = {
    before: [taken()],
    others: { ledger: [row()], payments: [row()], webhooks: [row()] },
    after: [row()],
  };

  test("that is the same in every service does not differ", () => {
    expect(differingTransfers(alike)).toEqual([]);
  });

  test("that is completed and missing in a service is reported with its merchant", () => {
    expect(differingTransfers({ ...alike, others: { ...alike.others, payments: [] } })).toEqual([
      {
        mode: "live",
        kind: "collection",
        intake_id: "int_1",
        merchant_id: "mer_1",
        what: ["payments does not hold it"],
      },
    ]);
  });

  test("that is in flight may be missing or different: it is compared once it is completed", () => {
    const inFlight = [taken({ is_finished: false })];
    const others = { ledger: [row({ digests: { intake: "9" } })], payments: [], webhooks: [] };
    expect(differingTransfers({ ...alike, before: inFlight, others })).toEqual([]);
  });

  test("accepted while the others were read is not a difference, and one that was never accepted is", () => {
    expect(differingTransfers({ ...alike, before: [] })).toEqual([]);
    expect(differingTransfers({ ...alike, before: [], after: [] })).toMatchObject([
      { what: ["ledger, payments, webhooks hold it, accounts never took it in"] },
    ]);
  });

  test("that is in the other mode in a service is reported", () => {
    const others = { ...alike.others, payments: [row({ mode: "test" })] };
    expect(differingTransfers({ ...alike, others })).toMatchObject([
      { what: ["mode: payments differs from accounts"] },
    ]);
  });

  test("is reported with the fields and services that differ", () => {
    const others = {
      ...alike.others,
      ledger: [row({ digests: { intake: "5", fee: "2" } })],
      webhooks: [row({ digests: { intake: "1", fee: "7" } })],
    };
    expect(differingTransfers({ ...alike, others })).toMatchObject([
      { what: ["merchant or amount: ledger differs from accounts", "fee or net: webhooks differs from ledger"] },
    ]);
  });

  test("in suspense is not expected in payments and webhooks, and is a separate row from its allocation", () => {
    const suspense = { ...taken(), kind: "suspense" as const };
    const others = {
      ledger: [{ ...row(), kind: "suspense" as const, digests: { intake: "1" } }],
      payments: [],
      webhooks: [],
    };
    expect(differingTransfers({ before: [suspense], others, after: [suspense] })).toEqual([]);
    expect(
      differingTransfers({ before: [suspense], others: { ...others, ledger: [] }, after: [suspense] }),
    ).toMatchObject([{ kind: "suspense", what: ["ledger does not hold it"] }]);
  });
});
