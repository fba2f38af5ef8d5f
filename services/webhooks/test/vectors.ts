import type { Fact, transferCompleted } from "@collect/contracts";
import type { Vector } from "@collect/webhook-verification";
import { challengeRequest } from "../src/domain/challenge.ts";
import { collectionSuccess, type EventDraft, testEvent, transferEvent } from "../src/domain/event.ts";
import { deliveryHeaders } from "../src/domain/signature.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const STAGED = "whsec_0123456789ABCDEFGHIJKLMNOPQRSTUV";
const OTHER = "whsec_VUTSRQPONMLKJIHGFEDCBA9876543210";
const AT = new Date("2026-11-21T09:30:00.123Z");
const NOW = Math.floor(AT.getTime() / 1_000);
const MERCHANT = { id: "mer_1", mode: "live" as const };

type Request = { headers: Record<string, string>; body: Buffer };
type Case = Partial<Pick<Vector, "secrets" | "now" | "tolerance_s">> & Pick<Vector, "name" | "expected"> & Request;

/** Deliveries as the service sends them, and each change that a receiver must notice. */
export function vectors(): Vector[] {
  return [...accepted(), ...changed(), ...rotated(), ...aged(), ...malformed(), ...misconfigured()].map(
    ({ body, secrets = [SECRET], now = NOW, tolerance_s = 300, name, headers, expected }) => {
      return { name, headers, body: body.toString("base64"), secrets, now, tolerance_s, expected };
    },
  );
}

const real = signed(collection("Chidi Eze"));
const accented = signed(collection("Ṣọlá Adébáyọ̀ 🌍"));

function accepted(): Case[] {
  return [
    { name: "a collection", ...real, expected: "valid" },
    { name: "a payer's name that is not ASCII", ...accented, expected: "valid" },
    { name: "a failed transfer", ...signed(transferEvent(TRANSFER, AT)), expected: "valid" },
    { name: "a test event", ...signed(testEvent(MERCHANT, "req_1", AT)), expected: "valid" },
    { name: "the challenge of a new webhook URL", ...challenge(), expected: "valid" },
    { name: "header names in upper case", ...withNames(real, (name) => name.toUpperCase()), expected: "valid" },
    { name: "a proxy that added a header", ...withHeaders(real, { "x-forwarded-for": "::1" }), expected: "valid" },
  ];
}

function changed(): Case[] {
  const text = real.body.toString();
  const bodies: [string, Buffer][] = [
    ["an amount that was changed", Buffer.from(text.replace("2500.73", "9500.73"))],
    ["a body that was parsed and serialized again", Buffer.from(JSON.stringify(JSON.parse(text), null, 2))],
    ["a line break at the end", Buffer.from(`${text}\n`)],
    ["a byte order mark", Buffer.from(`\uFEFF${text}`)],
    ["a truncated body", real.body.subarray(0, -1)],
    ["an empty body, because other code has read it", Buffer.alloc(0)],
  ];
  const replaced = signed(collection("\uFFFD"));
  const invalid = Buffer.from(replaced.body.toString("latin1").replace("\xEF\xBF\xBD", "\xFF"), "latin1");
  return [
    ...bodies.map(([name, body]): Case => ({ name, ...real, body, expected: "signature_mismatch" })),
    { name: "a name without its accents", ...accented, body: withoutAccents(), expected: "signature_mismatch" },
    {
      name: "bytes that are the signed ones only after they are decoded as UTF-8",
      ...replaced,
      body: invalid,
      expected: "signature_mismatch",
    },
  ];
}

function rotated(): Case[] {
  const during = signed(collection("Chidi Eze"), { stagedSecret: STAGED });
  const after = signed(collection("Chidi Eze"), { secret: STAGED });
  return [
    { name: "the wrong secret", ...real, secrets: [OTHER], expected: "signature_mismatch" },
    { name: "the right secret among others", ...real, secrets: [OTHER, SECRET], expected: "valid" },
    { name: "a staged secret: the current one is known", ...during, expected: "valid" },
    { name: "a staged secret: it alone is known", ...during, secrets: [STAGED], expected: "valid" },
    { name: "a staged secret: neither is known", ...during, secrets: [OTHER], expected: "signature_mismatch" },
    { name: "an activated secret: both are known", ...after, secrets: [SECRET, STAGED], expected: "valid" },
    { name: "an activated secret: the previous one is known", ...after, expected: "signature_mismatch" },
  ];
}

function aged(): Case[] {
  const of = (ageS: number) => ({ ...real, now: NOW + ageS });
  const later = withHeaders(real, { "webhook-timestamp": String(NOW + 3_600) });
  const stripped = without(real, "webhook-timestamp", "webhook-id", "webhook-signature");
  return [
    { name: "sent 300 s ago", ...of(300), expected: "valid" },
    { name: "sent 301 s ago", ...of(301), expected: "timestamp_too_old" },
    { name: "sent 300 s in the future", ...of(-300), expected: "valid" },
    { name: "sent 301 s in the future", ...of(-301), expected: "timestamp_in_future" },
    { name: "sent in 2001", ...signed(collection("Chidi Eze"), { at: EARLY }), expected: "timestamp_too_old" },
    { name: "a recorded delivery with a new time", ...later, now: NOW + 3_600, expected: "signature_mismatch" },
    { name: "X-Service-Signature alone, at any age", ...stripped, tolerance_s: null, expected: "valid" },
    { name: "sent in 2001, at any age", ...of(1e9), tolerance_s: null, expected: "valid" },
    ...["webhook-id", "webhook-timestamp", "webhook-signature"].map((name): Case => {
      return { name: `no ${name}`, ...without(real, name), expected: "timestamp_missing" };
    }),
  ];
}

function malformed(): Case[] {
  const { "x-service-signature": service = "", "webhook-signature": standard = "" } = real.headers;
  const zeros = "0".repeat(128);
  const cases: [string, Record<string, string>, Vector["expected"]][] = [
    ["X-Service-Signature in upper case", { "x-service-signature": service.toUpperCase() }, "valid"],
    ["a short X-Service-Signature", { "x-service-signature": service.slice(1) }, "signature_malformed"],
    ["a long X-Service-Signature", { "x-service-signature": `${service}00` }, "signature_malformed"],
    ["a prefixed X-Service-Signature", { "x-service-signature": `sha512=${service}` }, "signature_malformed"],
    ["an empty X-Service-Signature", { "x-service-signature": "" }, "signature_malformed"],
    ["a timestamp in milliseconds", { "webhook-timestamp": `${NOW}000` }, "timestamp_malformed"],
    ["a timestamp in words", { "webhook-timestamp": AT.toUTCString() }, "timestamp_malformed"],
    ["a negative timestamp", { "webhook-timestamp": "-1" }, "timestamp_malformed"],
    ["a timestamp with an exponent", { "webhook-timestamp": "1e9" }, "timestamp_malformed"],
    ["a signature of a later version first", { "webhook-signature": `v2,AAAA ${standard}` }, "valid"],
    ["only a signature of another version", { "webhook-signature": `v2,${standard.slice(3)}` }, "signature_mismatch"],
    ["an empty webhook-signature", { "webhook-signature": "v1," }, "signature_mismatch"],
    ["a truncated webhook-signature", { "webhook-signature": standard.slice(0, -4) }, "signature_mismatch"],
    ["another webhook-id", { "webhook-id": "evt_another" }, "signature_mismatch"],
    ["both signatures wrong", { "x-service-signature": zeros, "webhook-signature": "v1,AA==" }, "signature_mismatch"],
  ];
  return [
    ...cases.map(([name, headers, expected]): Case => ({ name, ...withHeaders(real, headers), expected })),
    { name: "no X-Service-Signature", ...without(real, "x-service-signature"), expected: "signature_missing" },
    { name: "no headers", body: real.body, headers: {}, expected: "signature_missing" },
  ];
}

function misconfigured(): Case[] {
  const settings: [string, string[]][] = [
    ["no secret", []],
    ["an API key for a secret", ["sk_test_0123456789"]],
    ["a secret without its prefix", [SECRET.slice("whsec_".length)]],
    ["a secret with a space", [`${SECRET} `]],
    ["an API key beside the right secret", [SECRET, "sk_test_0123456789"]],
  ];
  return settings.map(([name, secrets]) => ({ name, ...real, secrets, expected: "secret_invalid" }));
}

const EARLY = new Date("2001-09-09T01:46:40Z");

function collection(payer: string): EventDraft {
  return collectionSuccess(
    {
      intakeId: "int_1",
      merchant: MERCHANT,
      accountNumber: "0000000017",
      customer: { reference: "cust_42", name: "Ada Obi" },
      amount: 250_073n,
      currency: "NGN",
      payer: { name: payer, accountNumber: null, bankName: null },
      paidAt: "2026-11-21T09:29:58.000+00:00",
      receivedAt: "2026-11-21T09:29:59.000+00:00",
      fee: 2_501n,
      net: 247_572n,
      reference: "col_6Ww4GkXcNTxWb1gcVKrbBh",
      paymentReference: null,
      merchantReference: null,
      postedAt: "2026-11-21T09:29:59.500+00:00",
    },
    AT,
  );
}

const TRANSFER: Fact<typeof transferCompleted> = {
  key: "trf_1:failed",
  merchant: MERCHANT,
  reference: "trf_6Ww4GkXcNTxWb1gcVKrbBh",
  merchantReference: "payout-7",
  status: "failed",
  amount: 250_073n,
  fee: 0n,
  currency: "NGN",
  bankCode: "044",
  bankName: "Access Bank",
  accountNumber: "0123456789",
  accountName: "Chidi Eze",
  narration: null,
  failureCode: "beneficiary_refused",
  failureReason: "The beneficiary's bank refused the transfer.",
  createdAt: "2026-11-21T09:29:00.000+00:00",
  completedAt: "2026-11-21T09:29:59.000+00:00",
};

function signed(
  { kind, body }: EventDraft,
  { secret = SECRET, stagedSecret = null as string | null, at = AT } = {},
): Request {
  const delivery = { merchantId: MERCHANT.id, mode: MERCHANT.mode, kind, sequence: 7n, number: 1_042n, attempt: 1 };
  return { headers: deliveryHeaders({ ...delivery, body, secret, stagedSecret, at }), body };
}

function challenge(): Request {
  const drawn = { reference: "chl_6Ww4GkXcNTxWb1gcVKrbBh", challenge: "4GkXcNTxWb1gcVKr", mode: MERCHANT.mode, at: AT };
  return challengeRequest(drawn, { secret: SECRET, stagedSecret: null });
}

const withoutAccents = () => Buffer.from(accented.body.toString().replace("Ṣọlá Adébáyọ̀", "Sola Adebayo"));

const withHeaders = ({ body, headers }: Request, changes: Record<string, string>): Request => ({
  body,
  headers: { ...headers, ...changes },
});

const withNames = ({ body, headers }: Request, rename: (name: string) => string): Request => ({
  body,
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [rename(name), value])),
});

const without = ({ body, headers }: Request, ...names: string[]): Request => ({
  body,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name))),
});
