import { type Kobo as KoboAmount, MAX_KOBO, naira, parseNaira } from "@collect/money";
import { z } from "zod";

/** Fields that mean the same wherever they stand: in events, in requests and in the merchant API. */

export const MODES = ["test", "live"] as const;
export const Mode = z.enum(MODES);
export type Mode = z.infer<typeof Mode>;

/** An identifier made by one of the services, such as `mer_…` or `int_…`. */
export const Id = z.string().min(1).max(80);

/** RFC 3339 with a numeric offset, to the millisecond: `2026-11-21T09:30:00.123+00:00`. Always UTC when we write it. */
export const Instant = z.iso.datetime({ offset: true });

/** A time in that form. */
export function instantOf(date: Date): string {
  return date.toISOString().replace("Z", "+00:00");
}

const FIRST_MOMENT = Date.parse("0001-01-01T00:00:00Z");
const LAST_MOMENT = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * A time that a caller asks by, whatever its year and offset: in UTC, to the microsecond, and moved to the nearest one that
 * both PostgreSQL and JavaScript have. All are as long as each other, so their texts are in the order of the times.
 */
export const UtcInstant = Instant.transform((instant) => {
  const time = Math.min(Math.max(Date.parse(instant), FIRST_MOMENT), LAST_MOMENT);
  const [, fraction = ""] = /\.(\d+)/.exec(instant) ?? [];
  return `${new Date(time).toISOString().slice(0, 19)}.${fraction.slice(0, 6).padEnd(6, "0")}+00:00`;
});

/**
 * A reference in a question. What no reference has in it, and no database can always be asked for, becomes a character that
 * none has either: so a malformed reference is looked for like any other, and is not there.
 */
export const ReferenceQuery = z
  .string()
  .max(120)
  .transform((text) => text.replace(/[\p{Cc}\p{Cs}]/gu, "\u0001"));

/** Kobo on the bus: an integer in digits, because JSON numbers lose precision. A bigint once parsed. */
export const Kobo = z.codec(z.string().regex(/^-?\d{1,19}$/), z.bigint(), {
  decode: (digits) => BigInt(digits),
  encode: (kobo) => kobo.toString(),
});

/** Kobo on the bus that cannot be negative. */
export const PositiveKobo = z.codec(z.string().regex(/^[1-9]\d{0,14}$/), z.bigint().positive().max(MAX_KOBO), {
  decode: (digits) => BigInt(digits),
  encode: (kobo) => kobo.toString(),
});

/** Says why a number is no amount: it is too large, or it has more than two decimals or a sign. */
const notNaira = (amount: number) =>
  amount > naira(MAX_KOBO) ? `must be at most ${naira(MAX_KOBO)}` : "must be naira with at most two decimals";

/** An amount of the merchant API: naira as a JSON number with at most two decimals. A bigint of kobo once parsed. */
export const Naira = z
  .codec(z.number(), z.bigint(), {
    decode: (amount, context): KoboAmount => {
      const kobo = parseNaira(amount);
      if (kobo !== undefined) return kobo;
      context.issues.push({ code: "custom", input: amount, message: notNaira(amount) });
      return z.NEVER;
    },
    encode: (kobo) => naira(kobo),
  })
  .meta({ description: "Naira, at most two decimals.", examples: [2500.73] });

/** Naira greater than zero. */
export const PositiveNaira = Naira.refine((kobo) => kobo > 0n, { message: "must be greater than 0" }).meta({
  description: "Naira, at most two decimals.",
  exclusiveMinimum: 0,
});

/**
 * Naira that a merchant asks for. Any amount can be asked, however large, so that the service that knows the limit can refuse it:
 * above MAX_KOBO it is MAX_KOBO + 1.
 */
export const RequestedNaira = z
  .codec(z.number(), z.bigint(), {
    decode: (amount, context): KoboAmount => {
      const kobo = amount > naira(MAX_KOBO) ? MAX_KOBO + 1n : parseNaira(amount);
      if (kobo !== undefined) return kobo;
      context.issues.push({ code: "custom", input: amount, message: "must be naira with at most two decimals" });
      return z.NEVER;
    },
    encode: (kobo) => naira(kobo),
  })
  .refine((kobo) => kobo > 0n, { message: "must be greater than 0" })
  .meta({ description: "Naira, at most two decimals.", exclusiveMinimum: 0, examples: [2500] });

/** A balance in naira; it may be negative. */
export const NairaBalance = z.codec(z.number(), z.bigint(), {
  decode: (amount) => BigInt(Math.round(amount * 100)),
  encode: (kobo) => naira(kobo),
});

/** ISO 4217. Money is naira; anything else a bank reports is quarantined before it becomes an event. */
export const Currency = z.literal("NGN");

/** The merchant's own key for a customer. Case-sensitive. */
export const CustomerReference = z
  .string()
  .regex(/^[A-Za-z0-9._:-]{1,80}$/, "must be 1 to 80 characters out of letters, digits and . _ : -")
  .meta({ description: "Your own key for the customer.", examples: ["cust_42"] });

/** A person's or a business's name as it is typed: NFC, inner spaces collapsed, 1 to 100 characters, no control characters. */
export const Name = z
  .string()
  .transform((name) => name.normalize("NFC").replace(/ +/g, " ").trim())
  .pipe(
    z
      .string()
      .min(1, "must not be empty")
      .max(100, "must be at most 100 characters")
      .regex(/^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u, "must not contain control characters"),
  );

/** The merchant's own id of an order or a transfer. Case-sensitive. */
export const MerchantReference = z
  .string()
  .regex(/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,100}$/u, "must be 1 to 100 printable characters")
  .meta({ description: "Your own id; it makes the call idempotent.", examples: ["order-1001"] });

/** Free text for people, up to 500 characters; lines may be broken. */
export const FreeText = z
  .string()
  .max(500, "must be at most 500 characters")
  .regex(/^(?:[^\p{Cc}\p{Cs}]|[\n\r\t])*$/u, "must not contain control characters");

/** What a beneficiary's bank shows beside a transfer. */
export const Narration = z
  .string()
  .max(100, "must be at most 100 characters")
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, "must not contain control characters");

/** A bank's code: three digits, or six in the newer scheme. */
export const BankCode = z.string().regex(/^\d{3}(\d{3})?$/, "must be 3 or 6 digits");

/** A NUBAN as a bank writes it: ten digits. Whether its check digit fits is `@collect/bank`'s to say. */
export const AccountNumber = z.string().regex(/^\d{10}$/, "must be 10 digits");

/** Which merchant a fact or a request belongs to. Merchant and mode are in every tenant-scoped key. */
export const MerchantScope = z.object({ id: Id, mode: Mode });
export type MerchantScope = z.infer<typeof MerchantScope>;

/** Who sent the money, as far as the bank said. */
export const Payer = z.object({
  name: z.string().max(200),
  accountNumber: z.string().max(34).nullable(),
  bankName: z.string().max(100).nullable(),
});
export type Payer = z.infer<typeof Payer>;
