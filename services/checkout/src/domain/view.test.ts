import { SESSION_STATUSES, type SessionSnapshot, type SessionStatus } from "@collect/contracts";
import { describe, expect, test } from "vitest";
import { isFinal, isStale } from "./freshness.ts";
import { publicKeyOf } from "./public-key.ts";
import { isReference } from "./reference.ts";
import { checkoutView } from "./view.ts";

const at = (time: string) => `2026-11-21T${time}.000+00:00`;
const SESSION: SessionSnapshot = {
  reference: "pay_7Yk3pQ2mVd9sRw4tXb6nLc",
  version: 1,
  merchant: { id: "mer_1", mode: "live" },
  merchantName: "Ada Stores",
  status: "pending",
  amount: 250_073n,
  amountRequested: 250_000n,
  amountReceived: 0n,
  accountNumber: "0123456789",
  accountName: "Ada Stores / Collections",
  bankName: "Harbour Bank",
  description: null,
  redirectUrl: "https://shop.example/done",
  detailsRequired: false,
  openedBy: "secret_key",
  createdAt: at("09:00:00"),
  expiresAt: at("09:30:00"),
  watchUntil: at("11:30:00"),
  paidAt: null,
};
const view = (given: Partial<SessionSnapshot>, now = at("09:10:00")) =>
  checkoutView({ ...SESSION, ...given }, new Date(now));

describe("the checkout view", () => {
  test("server_time has the format of every other time", () => {
    expect(view({}).server_time).toBe(at("09:10:00"));
  });

  test("a session that was made by a test clock ahead of real time runs by that clock, a live one by real time", () => {
    const yesterday = "2026-11-20T09:10:00.000+00:00";
    const [test, live] = [{ id: "mer_1", mode: "test" as const }, SESSION.merchant];
    expect(view({ merchant: test }, yesterday).server_time).toBe(SESSION.createdAt);
    expect(view({ merchant: test }).server_time).toBe(at("09:10:00"));
    expect(view({ merchant: live }, yesterday).server_time).toBe(yesterday);
  });

  test.each<[SessionStatus, boolean]>([
    ["pending", false],
    ["processing", false],
    ["paid", true],
    ["underpaid", false],
    ["overpaid", true],
    ["expired", false],
    ["paid_late", true],
  ])("in %s there is a return_url: %s", (status, isThere) => {
    const { return_url } = view({ status });
    expect(return_url).toBe(isThere ? `https://shop.example/done?reference=${SESSION.reference}` : null);
    expect(view({ status, redirectUrl: null }).return_url).toBe(null);
  });

  test.each(["javascript:alert(1)", "http://shop.example", "//shop.example", "data:text/html,x"])(
    "%s never becomes a link",
    (redirectUrl) => expect(view({ status: "paid", redirectUrl }).return_url).toBe(null),
  );

  test("while details are required the account is hidden, in any status", () => {
    for (const status of SESSION_STATUSES) {
      const { account_number, account_name, bank_name } = view({ status, detailsRequired: true });
      expect([account_number, account_name, bank_name]).toEqual([null, null, null]);
    }
  });

  test.each<[SessionStatus, number, number]>([
    ["pending", 3_000, 3_000],
    ["processing", 3_000, 3_000],
    ["expired", 15_000, 60_000],
    ["underpaid", 15_000, 60_000],
    ["paid", 60_000, 60_000],
    ["overpaid", 60_000, 60_000],
    ["paid_late", 60_000, 60_000],
  ])("%s is polled after %i ms, and after %i ms once its watch window is closed", (status, within, after) => {
    expect([view({ status }).poll_after_ms, view({ status }, at("11:30:00")).poll_after_ms]).toEqual([within, after]);
  });
});

describe("a copy", () => {
  const copy = (refreshedAt: string, status: SessionStatus = "pending") => ({
    snapshot: { ...SESSION, status },
    refreshedAt: at(refreshedAt),
  });

  test("is stale after 30 seconds", () => {
    expect(isStale(copy("09:10:00"), { now: new Date(at("09:10:30")), listeningSince: new Date(at("09:00:00")) })).toBe(
      false,
    );
    expect(isStale(copy("09:10:00"), { now: new Date(at("09:10:31")), listeningSince: new Date(at("09:00:00")) })).toBe(
      true,
    );
  });

  test("from before this process listened is stale, however recent: events in between were missed", () => {
    const listeningSince = new Date(at("09:10:05"));
    expect(isStale(copy("09:10:00"), { now: new Date(at("09:10:06")), listeningSince })).toBe(true);
    expect(isStale(copy("09:10:06"), { now: new Date(at("09:10:07")), listeningSince })).toBe(false);
  });

  test("is final only if it was confirmed an hour after the end of the watch window, and never while the session is open", () => {
    expect(isFinal(copy("11:29:00", "paid"))).toBe(false);
    expect(isFinal(copy("12:30:01", "paid"))).toBe(true);
    expect(isFinal(copy("12:30:01", "expired"))).toBe(true);
    expect(isFinal(copy("12:30:01", "pending"))).toBe(false);
    expect(
      isStale(copy("12:30:01", "paid"), { now: new Date(at("23:00:00")), listeningSince: new Date(at("09:00:00")) }),
    ).toBe(false);
  });
});

test.each([
  ["pay_7Yk3pQ2mVd9sRw4tXb6nLc", true],
  ["pay_7Yk3pQ2mVd9sRw4tXb6nL", false],
  ["pay_7Yk3pQ2mVd9sRw4tXb6nLcd", false],
  ["pay_0Yk3pQ2mVd9sRw4tXb6nLc", false],
  ["col_7Yk3pQ2mVd9sRw4tXb6nLc", false],
  ["pay_7Yk3pQ2mVd9sRw4tXb6nLc\n", false],
  ["", false],
])("%j is a well-formed reference: %s", (text, isWellFormed) => expect(isReference(text)).toBe(isWellFormed));

const KEY = `pk_test_${"a".repeat(38)}`;
test.each([
  [`Bearer ${KEY}`, KEY],
  [`bearer  ${KEY}`, KEY],
  [KEY, undefined],
  [`Basic ${KEY}`, undefined],
  [`Bearer ${KEY.replace("pk", "sk")}`, undefined],
  [`Bearer ${KEY.toUpperCase()}`, undefined],
  [`Bearer ${KEY}a`, undefined],
  [`Bearer ${KEY} ${KEY}`, undefined],
  [undefined, undefined],
])("the public key of %s is %s", (header, key) => expect(publicKeyOf(header)).toBe(key));
